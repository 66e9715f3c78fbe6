using System.Text.Json;
using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>
/// What a server counted between two readings of <c>/stats</c>. Null, and never zero: a reading is missing, or the server (another product's) does not
/// count that.
/// </summary>
public sealed class StatsDelta : IDisposable
{
    private readonly JsonDocument? _before;
    private readonly JsonDocument? _after;

    /// <param name="before">A JSON object, or null when there is none.</param>
    /// <param name="after">A JSON object, or null when there is none.</param>
    public StatsDelta(string? before, string? after)
    {
        if (before is null || after is null)
            return;
        _before = JsonDocument.Parse(before);
        _after = JsonDocument.Parse(after);
    }

    public ClientBytes? ClientBytes => Tells("bytesOut", "total")
        ? new ClientBytes(Of("bytesOut", "payload"), Of("bytesOut", "stomp"), Of("bytesOut", "webSocket"), Of("bytesOut", "total"))
        : null;

    public ServerDrops? Drops => Tells("drops")
        ? new ServerDrops(Of("drops", "no-subscriber"), Of("drops", "shed"), Of("drops", "closed"))
        : null;

    /// <summary>All zero for a server that says that it has no queue.</summary>
    public QueueTraffic? Queue => Tells("queue")
        ? new QueueTraffic(Calls("calls"), Of("queue", "emptyReceives"), Calls("bytesOut"), Of("queue", "bytesIn"))
        : null;

    public void Dispose()
    {
        _before?.Dispose();
        _after?.Dispose();
    }

    private QueueCounts Calls(string what) => new(
        Of("queue", what, "send"), Of("queue", what, "receive"), Of("queue", what, "delete"), Of("queue", what, "changeVisibility"), Of("queue", what, "other"));

    private bool Tells(params ReadOnlySpan<string> path) => Find(_before, path) is not null && Find(_after, path) is not null;

    private long Of(params ReadOnlySpan<string> path) => Read(_after, path) - Read(_before, path);

    private static long Read(JsonDocument? document, ReadOnlySpan<string> path) =>
        Find(document, path) is { ValueKind: JsonValueKind.Number } number && number.TryGetInt64(out var count) ? count : 0;

    private static JsonElement? Find(JsonDocument? document, ReadOnlySpan<string> path)
    {
        var found = document?.RootElement;
        foreach (var name in path)
            found = found is { ValueKind: JsonValueKind.Object } part && part.TryGetProperty(name, out var inner) ? inner : null;
        return found;
    }
}
