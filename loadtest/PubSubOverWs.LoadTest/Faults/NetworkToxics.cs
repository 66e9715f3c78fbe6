using PubSubOverWs.Experiment.Design;
using PubSubOverWs.LoadTest.Network.Toxics;

namespace PubSubOverWs.LoadTest.Faults;

/// <summary>What a fault proxy is told so that connections through it meet a network as it is described.</summary>
public static class NetworkToxics
{
    /// <summary>In the order in which bytes go through them; empty: bytes pass as they come.</summary>
    public static IReadOnlyList<Toxic> Of(NetworkConditions network)
    {
        var toxics = new List<Toxic>();
        if (network.SliceBytes is { } bytes)
            toxics.Add(new SlicerToxic(bytes));
        if (network.BytesPerSecond is { } rate)
            toxics.Add(new BandwidthToxic(rate));
        if (network.Latency is { } latency)
            toxics.Add(new LatencyToxic(latency, network.Jitter));
        if (network.StallEvery is { } stall)
            toxics.Add(new StallToxic(stall, network.StallFor));
        if (network.ResetAfter is { } reset)
            toxics.Add(new ResetToxic(reset, network.ResetJitter) { Probability = network.ResetShare });
        if (network.CutEvery is { } cut)
            toxics.Add(new ChurnToxic(cut));
        return toxics;
    }
}
