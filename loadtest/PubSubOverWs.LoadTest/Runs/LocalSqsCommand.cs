using System.Globalization;
using PubSubOverWs.Experiment.Experiments.Relay;
using PubSubOverWs.LoadTest.Processes;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>What the run sets of the queue that it starts; everything else keeps its default.</summary>
public static class LocalSqsCommand
{
    /// <summary>The embedded queue, as far away as the scenario says; each block draws other delays.</summary>
    public static ChildCommand Of(RelayScenario scenario, int block)
    {
        var latency = scenario.QueueLatency;
        return !latency.IsSimulated
            ? ChildCommand.LocalSqs()
            : ChildCommand.LocalSqs(
                "--LocalSqs:DelayP50", $"{latency.P50:c}", "--LocalSqs:DelayP99", $"{latency.P99:c}",
                "--LocalSqs:Seed", unchecked((int)(scenario.Seed + block)).ToString(CultureInfo.InvariantCulture));
    }
}
