using PubSubOverWs.Experiment.Design;

namespace PubSubOverWs.LoadTest.Runs;

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
    /// <param name="users">Each connects once.</param>
    /// <param name="sends">Messages of all users together: one or more for each.</param>
    public static TimeSpan Iteration(Arm arm, int users, long sends) =>
        Fixed + (arm.HasQueue ? Drain : TimeSpan.Zero) + PerUser * users + PerFurtherMessage * Math.Max(0, sends - users);

    /// <summary>
    /// Time that an iteration waits in addition: that over which its messages are due and, where a fault loses messages, the last deadline.
    /// </summary>
    public static TimeSpan Waiting(Scenario scenario, Level level) => scenario.ArrivalsAt(level).Spread
        + (scenario.Disturbance is { WaitsForDeadline: true } fault && fault != Disturbance.None ? scenario.Deadline : TimeSpan.Zero);
}
