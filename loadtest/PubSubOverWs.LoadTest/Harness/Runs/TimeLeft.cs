namespace PubSubOverWs.LoadTest.Harness.Runs;

/// <summary>
/// Estimates the remaining time of a run: measured arms and levels by their mean so far, others by their users, scaled by the error of the
/// estimates so far. The scale is bounded, because the first iterations include compilation.
/// </summary>
/// <param name="drainWait">Added to each trial with a distant queue, unscaled: it does not depend on this machine.</param>
/// <param name="furtherServers">Servers that each block starts after the first of each arm.</param>
public sealed class TimeLeft(Scenario scenario, TimeSpan drainWait = default, int furtherServers = 0)
{
    private const double MaxWrong = 4;

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
        var scale = _guessed > TimeSpan.Zero ? Math.Clamp(_took / _guessed, 1 / MaxWrong, MaxWrong) : 1;
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
        Cost.Iteration(trial.Arm, scenario.LoadAt(trial.Level));

    // Trials that run at once wait at once.
    private TimeSpan Wait(Trial trial) =>
        (Cost.Waiting(scenario, trial.Level) + (trial.Arm.HasQueue ? drainWait : TimeSpan.Zero)) / scenario.TrialsAtOnce;
}

/// <summary>Durations on two cores with everything on one machine: a first estimate, corrected by measurements of the run.</summary>
public static class Cost
{
    /// <summary>Starting and stopping servers and queue: mostly the last poll of the pubsub server.</summary>
    public static readonly TimeSpan Block = TimeSpan.FromSeconds(7);

    /// <summary>Starting one more pubsub server and making it known to the others; all stop together.</summary>
    public static readonly TimeSpan FurtherServer = TimeSpan.FromSeconds(1.2);

    private static readonly TimeSpan Fixed = TimeSpan.FromMilliseconds(20);
    private static readonly TimeSpan Drain = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan PerUser = TimeSpan.FromMilliseconds(0.35);
    private static readonly TimeSpan PerFurtherMessage = TimeSpan.FromMilliseconds(0.1);

    /// <summary>Connecting, sending everything at once, disconnecting, and the proof of the drain.</summary>
    /// <param name="load">Each user connects once, and sends one message or more.</param>
    public static TimeSpan Iteration(Arm arm, LevelLoad load) =>
        Fixed + (arm.HasQueue ? Drain : TimeSpan.Zero) + PerUser * load.Users
            + PerFurtherMessage * (load.SendsMeanwhile ? 0 : Math.Max(0, load.Sends - load.Users));

    /// <summary>
    /// Time that an iteration waits in addition: that over which its messages are due and, where a fault loses messages, the last deadline.
    /// </summary>
    public static TimeSpan Waiting(Scenario scenario, Level level) => scenario.ArrivalsAt(level).Spread
        + (scenario.Disturbance is { WaitsForDeadline: true } fault && fault != Disturbance.None ? scenario.Deadline : TimeSpan.Zero);
}
