using PubSubOverWs.LoadTest.Experiments.FanOut.Load;
using PubSubOverWs.LoadTest.Experiments.IdleConnections.Load;
using PubSubOverWs.LoadTest.Experiments.Interference.Load;
using PubSubOverWs.LoadTest.Experiments.Misbehaving.Load;
using PubSubOverWs.LoadTest.Experiments.Nodes.Load;
using PubSubOverWs.LoadTest.Experiments.Paper.Load;
using PubSubOverWs.LoadTest.Experiments.Peers.Load;
using PubSubOverWs.LoadTest.Experiments.RequestReply.Load;
using PubSubOverWs.LoadTest.Experiments.StalledReaders.Load;
using PubSubOverWs.LoadTest.Experiments.Transports.Load;
using PubSubOverWs.LoadTest.Experiments.WhichQueue.Load;
using PubSubOverWs.LoadTest.Harness;

namespace PubSubOverWs.LoadTest.Experiments;

/// <summary>All experiments: one line for each.</summary>
public static class ExperimentList
{
    public static IReadOnlyList<Experiment> All { get; } =
    [
        new PaperExperiment(),
        new NodesExperiment(),
        new FanOutExperiment(),
        new IdleConnectionsExperiment(),
        new StalledReadersExperiment(),
        new RequestReplyExperiment(),
        .. TransportsExperiment.All,
        new InterferenceExperiment(),
        new MisbehavingExperiment(),
        new PeersExperiment(),
        new WhichQueueExperiment(),
    ];
}

/// <summary>The embedded results/published/NAME.json of what experiments are held against.</summary>
internal static class PublishedFigures
{
    private static readonly JsonSerializerOptions Options = new() { PropertyNameCaseInsensitive = true };

    public static JsonElement Read(string name)
    {
        using var file = typeof(PublishedFigures).Assembly.GetManifestResourceStream($"published/{name}.json")!;
        return JsonSerializer.Deserialize<JsonElement>(file);
    }

    public static T To<T>(this JsonElement figures) => figures.Deserialize<T>(Options)!;
}
