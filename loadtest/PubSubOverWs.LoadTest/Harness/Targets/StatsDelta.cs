namespace PubSubOverWs.LoadTest.Harness.Targets;

/// <summary>
/// The sum of what servers counted between two readings of <c>/stats</c>. A group of counters is complete or null, never zero instead of
/// null: a reading is missing, or a server, such as another product's, lacks a counter of the group.
/// </summary>
public sealed class StatsDelta : IDisposable
{
    private readonly List<(JsonDocument Before, JsonDocument After)> _servers = [];

    public StatsDelta(IReadOnlyList<ServerStats> servers)
    {
        if (servers.Any(one => one.Before is null || one.After is null))
            return;
        foreach (var one in servers)
            _servers.Add((JsonDocument.Parse(one.Before!), JsonDocument.Parse(one.After!)));
    }

    public ClientBytes? ClientBytes =>
        Sums("bytesOut", "payload", "stomp", "webSocket", "total") is [var payload, var stomp, var webSocket, var total]
            ? new ClientBytes(payload, stomp, webSocket, total)
            : null;

    public ServerDrops? Drops => Sums("drops", "no-subscriber", "shed", "closed") is [var noSubscriber, var shed, var closed]
        ? new ServerDrops(noSubscriber, shed, closed)
        : null;

    /// <summary>All zero for a server without a queue.</summary>
    public QueueTraffic? Queue => (ByCall("queue.calls"), ByCall("queue.bytesOut"), Sums("queue", "emptyReceives", "bytesIn")) is
        ({ } calls, { } bytesOut, [var emptyReceives, var bytesIn])
        ? new QueueTraffic(calls, emptyReceives, bytesOut, bytesIn)
        : null;

    /// <summary>SQS messages that servers sent, deleted, and moved to the dead-letter queue. Null: a count is missing.</summary>
    public (long Sent, long Deleted, long DeadLettered)? Messages =>
        Sums("queue", "sent", "deleted", "deadLettered") is [var sent, var deleted, var dead] ? (sent, deleted, dead) : null;

    public void Dispose()
    {
        foreach (var (before, after) in _servers)
        {
            before.Dispose();
            after.Dispose();
        }
    }

    private QueueCounts? ByCall(string group) => Sums(group, "send", "receive", "delete", "changeVisibility", "other") is
        [var send, var receive, var delete, var changeVisibility, var other]
        ? new QueueCounts(send, receive, delete, changeVisibility, other)
        : null;

    // Over all servers, one for each counter; null where one is missing.
    private long[]? Sums(string group, params string[] counters)
    {
        long?[] sums = [.. counters.Select(counter => $"{group}.{counter}").Select(path => _servers.Aggregate(
            (long?)0, (sum, one) => sum + Read(one.After, path) - Read(one.Before, path)))];
        return _servers.Count > 0 && Array.TrueForAll(sums, sum => sum is not null) ? [.. sums.Select(sum => sum!.Value)] : null;
    }

    private static long? Read(JsonDocument document, string path)
    {
        var found = document.RootElement;
        foreach (var name in path.Split('.'))
        {
            if (found.ValueKind != JsonValueKind.Object || !found.TryGetProperty(name, out var inner))
                return null;
            if (name == "queue" && inner.ValueKind == JsonValueKind.Null)
                return 0;
            found = inner;
        }

        return found.ValueKind == JsonValueKind.Number && found.TryGetInt64(out var count) ? count : null;
    }
}
