using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>What things take on two cores with everything on one machine: a first guess, corrected by what the run itself measures.</summary>
public static class Cost
{
    /// <summary>Starting and stopping the servers and the queue.</summary>
    public static readonly TimeSpan Block = TimeSpan.FromSeconds(2);

    private static readonly TimeSpan Fixed = TimeSpan.FromSeconds(0.4);
    private static readonly TimeSpan PerUser = TimeSpan.FromMilliseconds(0.35);

    /// <summary>Connecting, the burst, disconnecting and the proof of the drain.</summary>
    public static TimeSpan Iteration(string arm, int users) => (arm == Arms.Floor ? TimeSpan.Zero : Fixed) + PerUser * users;
}
