using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>What things take on two cores with everything on one machine: a first guess, corrected by what the run itself measures.</summary>
public static class Cost
{
    /// <summary>Starting the servers and the queue, and stopping them: the pubsub server's last poll lapses first.</summary>
    public static readonly TimeSpan Block = TimeSpan.FromSeconds(7);

    /// <summary>To start one more pubsub server and make it known to the others; they stop together.</summary>
    public static readonly TimeSpan FurtherServer = TimeSpan.FromSeconds(1.2);

    private static readonly TimeSpan Fixed = TimeSpan.FromMilliseconds(20);
    private static readonly TimeSpan Drain = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan PerUser = TimeSpan.FromMilliseconds(0.35);

    /// <summary>Connecting, the burst, disconnecting and the proof of the drain.</summary>
    public static TimeSpan Iteration(string arm, int users) => Fixed + (Arms.ServerOf(arm) == Arms.PubSub ? Drain : TimeSpan.Zero) + PerUser * users;
}
