using PubSubOverWs.Experiment.Design;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>
/// What things take on two cores with everything on one machine: a first guess, corrected by what the run itself measures.
/// </summary>
public static class Cost
{
    /// <summary>Starting the servers and the queue, and stopping them: the pubsub server's last poll lapses first.</summary>
    public static readonly TimeSpan Block = TimeSpan.FromSeconds(7);

    /// <summary>To start one more pubsub server and make it known to the others; they stop together.</summary>
    public static readonly TimeSpan FurtherServer = TimeSpan.FromSeconds(1.2);

    private static readonly TimeSpan Fixed = TimeSpan.FromMilliseconds(20);
    private static readonly TimeSpan Drain = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan PerUser = TimeSpan.FromMilliseconds(0.35);
    private static readonly TimeSpan PerFurtherMessage = TimeSpan.FromMilliseconds(0.1);

    /// <summary>Connecting, the burst, disconnecting and the proof of the drain, when all is sent at once.</summary>
    /// <param name="arm">What is measured.</param>
    /// <param name="users">Each connects once.</param>
    /// <param name="sends">Messages of all of them: one of each, or more.</param>
    public static TimeSpan Iteration(Arm arm, int users, long sends) =>
        Fixed + (arm.HasQueue ? Drain : TimeSpan.Zero) + PerUser * users + PerFurtherMessage * Math.Max(0, sends - users);

    /// <summary>
    /// What an iteration waits for beside: its messages are due over this time, and where a fault loses some, the last deadline passes
    /// before that is known.
    /// </summary>
    public static TimeSpan Waiting(Scenario scenario, Level level) => scenario.ArrivalsAt(level).Spread
        + (scenario.Disturbance is { WaitsForDeadline: true } fault && fault != Disturbance.None ? scenario.Deadline : TimeSpan.Zero);
}
