using System.Text.Json;
using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>What a server counted between two readings of <c>/stats</c>. What it does not count (another product's server) is zero.</summary>
public sealed class StatsDelta : IDisposable
{
    private readonly JsonDocument? _before;
    private readonly JsonDocument? _after;

    /// <param name="before">JSON, or null when there is none.</param>
    /// <param name="after">JSON, or null when there is none.</param>
    public StatsDelta(string? before, string? after)
    {
        if (before is null || after is null)
            return;
        _before = JsonDocument.Parse(before);
        _after = JsonDocument.Parse(after);
    }

    public ClientBytes ClientBytes => new(
        Of("bytesOut", "payload"), Of("bytesOut", "stomp"), Of("bytesOut", "webSocket"), Of("bytesOut", "total"));

    public ServerDrops Drops => new(Of("drops", "no-subscriber"), Of("drops", "shed"), Of("drops", "closed"));

    public QueueTraffic Queue => new(Calls("calls"), Of("queue", "emptyReceives"), Calls("bytesOut"), Of("queue", "bytesIn"));

    public void Dispose()
    {
        _before?.Dispose();
        _after?.Dispose();
    }

    private QueueCounts Calls(string what) => new(
        Of("queue", what, "send"), Of("queue", what, "receive"), Of("queue", what, "delete"), Of("queue", what, "changeVisibility"), Of("queue", what, "other"));

    private long Of(params ReadOnlySpan<string> path) => Read(_after, path) - Read(_before, path);

    private static long Read(JsonDocument? document, ReadOnlySpan<string> path)
    {
        if (document is null)
            return 0;
        var element = document.RootElement;
        foreach (var name in path)
        {
            if (element.ValueKind != JsonValueKind.Object || !element.TryGetProperty(name, out element))
                return 0;
        }

        return element.ValueKind == JsonValueKind.Number ? element.GetInt64() : 0;
    }
}
