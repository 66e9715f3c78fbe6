using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.LoadTest.Harness.Targets.Drain;

/// <summary>The part of a server's <c>/stats</c> about its memory and connections that do not read.</summary>
/// <param name="Taken">
/// Messages that connections have taken so far: what came in (direct), or was deleted from the queue (pubsub), without what was shed or
/// missed.
/// </param>
/// <param name="InQueue">Messages that are in the queue, or held by the server which received them; 0 where there is no queue.</param>
/// <param name="Slow">Connections that it ended because they did not read.</param>
/// <param name="HeapBytes">Of its managed heap, what is not yet collected included.</param>
/// <param name="HeapLimitBytes">Its limit, as the collector says.</param>
/// <param name="Collections">Of the heap so far, by generation.</param>
/// <param name="Paused">For how long they stopped its threads so far.</param>
/// <param name="MemoryBoundBytes">The most memory, as the server computed it from its settings.</param>
public sealed record ServerState(
    long Taken, long InQueue, long Slow, long HeapBytes, long HeapLimitBytes, IReadOnlyList<long> Collections, TimeSpan Paused,
    long MemoryBoundBytes)
{
    /// <exception cref="ChildException">The server did not tell.</exception>
    public static async Task<ServerState> ReadAsync(ChildServer server, CancellationToken cancellationToken)
    {
        using var reader = new StatsReader(server.Address);
        var json = await reader.ReadAsync(cancellationToken)
            ?? throw new ChildException($"{server.Name} did not answer /stats: look at what it wrote to its log.");
        return Parse(json);
    }

    /// <param name="json">The answer of <c>/stats</c>.</param>
    public static ServerState Parse(string json)
    {
        using var stats = JsonDocument.Parse(json);
        var root = stats.RootElement;
        var (ended, inQueue) = root.GetProperty("queue") is { ValueKind: JsonValueKind.Object } queue
            ? (queue.GetProperty("deleted").GetInt64(), queue.GetProperty("sent").GetInt64() - queue.GetProperty("deleted").GetInt64())
            : (root.GetProperty("messages").GetProperty("in").GetInt64(), 0);
        return new ServerState(
            ended - root.GetProperty("drops").GetProperty("shed").GetInt64(),
            inQueue,
            root.GetProperty("connections").GetProperty("slow").GetInt64(),
            root.GetProperty("gcHeapBytes").GetInt64(),
            root.GetProperty("gcHeapLimitBytes").GetInt64(),
            [.. root.GetProperty("gcCollections").EnumerateArray().Select(count => count.GetInt64())],
            TimeSpan.FromMicroseconds(root.GetProperty("gcPauseMicroseconds").GetInt64()),
            root.GetProperty("memory").GetProperty("mostBytes").GetInt64());
    }
}
