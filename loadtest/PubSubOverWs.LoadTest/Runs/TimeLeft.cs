using PubSubOverWs.Experiment.Design;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>
/// Estimates the remaining time of a run: measured arms and levels by their mean so far, others by their users, scaled by the error of the
/// estimates so far. The scale is bounded, because the first iterations include compilation.
/// </summary>
/// <param name="drainWait">Added to each trial with a distant queue, unscaled: it does not depend on this machine.</param>
/// <param name="furtherServers">Servers that each block starts after the first of each arm.</param>
public sealed class TimeLeft(Scenario scenario, TimeSpan drainWait = default, int furtherServers = 0)
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

    private TimeSpan Wait(Trial trial) =>
        Cost.Waiting(scenario, trial.Level) + (trial.Arm.HasQueue ? drainWait : TimeSpan.Zero);
}
