using PubSubOverWs.Experiment.Faults;
using PubSubOverWs.LoadTest.Network.Toxics;

namespace PubSubOverWs.LoadTest.Faults;

/// <summary>What a fault does to the connections that go through a proxy, and whose those are.</summary>
public static class FaultToxics
{
    /// <summary>For as long as an iteration lasts; empty: connections are left alone, or nobody connects through a proxy.</summary>
    public static IReadOnlyList<Toxic> Of(Fault fault) => fault switch
    {
        ChurnFault churn => [new ChurnToxic(churn.Every)],
        BadNetworkFault bad =>
        [
            new SlicerToxic(bad.SliceBytes),
            new BandwidthToxic(bad.BytesPerSecond),
            new LatencyToxic(bad.Latency, bad.Jitter),
            new StallToxic(bad.StallEvery, bad.StallFor),
            new ResetToxic(bad.ResetAfter, bad.ResetJitter) { Probability = bad.ResetShare },
        ],
        _ => [],
    };

    /// <summary>How many connections of each user go through a proxy before the server: none, the subscriber's, or both.</summary>
    public static int ConnectionsOfEachUser(Fault fault) => fault switch
    {
        ChurnFault or BadNetworkFault => 1,
        { Restart: not null } => 2,
        _ => 0,
    };

    /// <summary>True: the pubsub server reaches its queue through a proxy.</summary>
    public static bool StandsBeforeQueue(Fault fault) => fault is QueueDownFault or QueueKilledFault;
}
