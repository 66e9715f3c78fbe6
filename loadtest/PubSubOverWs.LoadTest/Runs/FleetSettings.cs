using System.Globalization;
using PubSubOverWs.Experiment.Scenarios;
using PubSubOverWs.LoadTest.Load.Children;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>What the run sets of the servers it starts; everything else keeps its default.</summary>
public static class FleetSettings
{
    /// <summary>The key that LocalSqs knows by default, and its secret.</summary>
    public const string LocalKey = "test";

    // A stopping server waits for its polls to lapse; nothing is far away here, and five blocks stop five times.
    private const string LocalWaitTime = "00:00:05";

    /// <summary>The embedded queue, as far away as the scenario says; each block draws other delays.</summary>
    public static ChildCommand LocalSqs(Scenario scenario, int block)
    {
        var latency = scenario.QueueLatency;
        return !latency.IsSimulated
            ? ChildCommand.LocalSqs()
            : ChildCommand.LocalSqs(
                "--LocalSqs:DelayP50", $"{latency.P50:c}", "--LocalSqs:DelayP99", $"{latency.P99:c}",
                "--LocalSqs:Seed", unchecked((int)(scenario.Seed + block)).ToString(CultureInfo.InvariantCulture));
    }

    /// <param name="localSqs">The embedded queue of this block; null: not used.</param>
    /// <param name="endpoint">The queue that the user named; null: the embedded one.</param>
    /// <param name="queue">Name of the block's queue.</param>
    public static ChildCommand PubSub(Uri? localSqs, Uri? endpoint, string queue)
    {
        string[] settings = ["--Sqs:Endpoint", (localSqs ?? endpoint)!.ToString(), "--Sqs:Queue", queue];
        if (localSqs is null)
            return ChildCommand.PubSub(environment: null, settings);
        var keys = new Dictionary<string, string> { ["Sqs__AccessKey"] = LocalKey, ["Sqs__SecretKey"] = LocalKey };
        return ChildCommand.PubSub(keys, [.. settings, "--Sqs:WaitTime", LocalWaitTime]);
    }

    /// <summary>The same for run.json, secrets masked.</summary>
    public static IEnumerable<(string Name, string Value)> Shown(bool isLocalSqs)
    {
        yield return ("pubsub Sqs:Queue", "fresh for each block");
        yield return ("pubsub Sqs:AccessKey", "masked");
        yield return ("pubsub Sqs:SecretKey", "masked");
        if (isLocalSqs)
            yield return ("pubsub Sqs:WaitTime", LocalWaitTime);
    }
}
