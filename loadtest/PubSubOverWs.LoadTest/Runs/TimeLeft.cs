using PubSubOverWs.Experiment.Design;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>
/// How long the rest of a run takes. An arm and level that was seen costs its mean so far; one that was not is guessed from users, scaled
/// by how wrong the guess has been until now, within bounds: the first iterations are those that compile, and say little.
/// </summary>
/// <param name="scenario">Whose trials they are.</param>
/// <param name="drainWait">What each turn of pubsub waits for a queue far away, beyond the guess: it takes as long on every
/// machine.</param>
/// <param name="furtherServers">Pubsub servers that each block starts beside the first.</param>
/// <param name="waiting">What each turn of any arm waits beside the guess: it takes as long on every machine.</param>
public sealed class TimeLeft(
    Scenario scenario, TimeSpan drainWait = default, int furtherServers = 0, TimeSpan waiting = default)
{
    private const double MostWrong = 4;

    private readonly Dictionary<(string Arm, Level Level), (int Count, TimeSpan Sum)> _seen = [];
    private TimeSpan _guessed;
    private TimeSpan _took;

    public void Took(Trial trial, TimeSpan elapsed)
    {
        var (count, sum) = _seen.GetValueOrDefault((trial.Arm.Name, trial.Level));
        _seen[(trial.Arm.Name, trial.Level)] = (count + 1, sum + elapsed);
        _guessed += Guess(trial);
        _took += elapsed - Wait(trial);
    }

    public TimeSpan For(IEnumerable<Trial> remaining, int blocksToStart)
    {
        var scale = _guessed > TimeSpan.Zero ? Math.Clamp(_took / _guessed, 1 / MostWrong, MostWrong) : 1;
        var sum = (Cost.Block + Cost.FurtherServer * furtherServers) * blocksToStart;
        foreach (var trial in remaining)
        {
            sum += _seen.TryGetValue((trial.Arm.Name, trial.Level), out var seen)
                ? seen.Sum / seen.Count
                : Guess(trial) * scale + Wait(trial);
        }

        return sum;
    }

    private TimeSpan Guess(Trial trial) =>
        Cost.Iteration(trial.Arm, scenario.UsersAt(trial.Level), scenario.Sends(trial.Level));

    private TimeSpan Wait(Trial trial) => waiting + (trial.Arm.HasQueue ? drainWait : TimeSpan.Zero);
}
