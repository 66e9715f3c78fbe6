using System.Text.Json;
using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.LoadTest.Targets.Drain;

/// <summary>
/// What servers counted together between two readings of <c>/stats</c>. Null, and never zero: a reading is missing, or one of them (another
/// product's) does not count that.
/// </summary>
public sealed class StatsDelta : IDisposable
{
    private readonly List<(JsonDocument Before, JsonDocument After)> _servers = [];

    /// <param name="servers">Of each, JSON objects, or null when there is none.</param>
    public StatsDelta(IReadOnlyList<ServerStats> servers)
    {
        if (servers.Any(one => one.Before is null || one.After is null))
            return;
        foreach (var one in servers)
            _servers.Add((JsonDocument.Parse(one.Before!), JsonDocument.Parse(one.After!)));
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
        foreach (var (before, after) in _servers)
        {
            before.Dispose();
            after.Dispose();
        }
    }

    private QueueCounts Calls(string what) => new(
        Of("queue", what, "send"), Of("queue", what, "receive"), Of("queue", what, "delete"), Of("queue", what, "changeVisibility"),
        Of("queue", what, "other"));

    private bool Tells(params ReadOnlySpan<string> path)
    {
        foreach (var (before, after) in _servers)
        {
            if (Find(before, path) is null || Find(after, path) is null)
                return false;
        }

        return _servers.Count > 0;
    }

    private long Of(params ReadOnlySpan<string> path)
    {
        var sum = 0L;
        foreach (var (before, after) in _servers)
            sum += Read(after, path) - Read(before, path);
        return sum;
    }

    private static long Read(JsonDocument document, ReadOnlySpan<string> path) =>
        Find(document, path) is { ValueKind: JsonValueKind.Number } number && number.TryGetInt64(out var count) ? count : 0;

    private static JsonElement? Find(JsonDocument document, ReadOnlySpan<string> path)
    {
        JsonElement? found = document.RootElement;
        foreach (var name in path)
            found = found is { ValueKind: JsonValueKind.Object } part && part.TryGetProperty(name, out var inner) ? inner : null;
        return found;
    }
}
