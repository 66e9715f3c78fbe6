using System.Globalization;
using PubSubOverWs.Experiment.Design;
using PubSubOverWs.LoadTest.Processes;

namespace PubSubOverWs.LoadTest.Targets.Sqs;

/// <summary>The programs on both sides of a queue.</summary>
public static class SqsPrograms
{
    /// <summary>The server that relays through a queue.</summary>
    public static ServerProgram PubSub { get; } = new("pubsub", "PubSubServer");

    /// <summary>The embedded queue.</summary>
    public static ServerProgram LocalSqs { get; } = new("localsqs", "LocalSqs", "/health");

    /// <summary>The embedded queue, as far away as it is to pretend; everything else keeps its default.</summary>
    /// <param name="latency">How far.</param>
    /// <param name="seed">Of the delays; each block draws others.</param>
    public static ChildCommand LocalSqsAt(QueueLatency latency, long seed) => !latency.IsSimulated
        ? LocalSqs.Command()
        : LocalSqs.Command(
            "--LocalSqs:DelayP50", $"{latency.P50:c}", "--LocalSqs:DelayP99", $"{latency.P99:c}",
            "--LocalSqs:Seed", unchecked((int)seed).ToString(CultureInfo.InvariantCulture));
}
