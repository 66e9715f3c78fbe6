using System.Text.Json;
using PubSubOverWs.LoadTest.Load.Children;
using PubSubOverWs.LoadTest.Load.Drain;

namespace PubSubOverWs.LoadTest.Bench;

/// <summary>What a server tells of itself in <c>/stats</c> while connections do not read.</summary>
/// <param name="WithoutRoom">Messages that found no room: all that were shed so far (direct), and those that are held now (pubsub).</param>
/// <param name="Slow">Connections that it ended because they did not read.</param>
/// <param name="HeapBytes">Of its managed heap, what is not yet collected included.</param>
/// <param name="HeapLimitBytes">What that may have, as its collector says.</param>
/// <param name="Collections">Of the heap so far, by generation.</param>
internal sealed record ServerState(long WithoutRoom, long Slow, long HeapBytes, long HeapLimitBytes, IReadOnlyList<long> Collections)
{
    /// <exception cref="ChildException">The server did not tell.</exception>
    public static async Task<ServerState> ReadAsync(ChildServer server, CancellationToken cancellationToken)
    {
        using var reader = new StatsReader(server.Address);
        var json = await reader.ReadAsync(cancellationToken)
            ?? throw new ChildException($"{server.Name} did not tell its /stats: look at what it wrote to its log.", ChildException.Unreachable);
        using var stats = JsonDocument.Parse(json);
        var root = stats.RootElement;
        return new ServerState(
            root.GetProperty("drops").GetProperty("shed").GetInt64() + (StatsReader.Held(json) ?? 0),
            root.GetProperty("connections").GetProperty("slow").GetInt64(),
            root.GetProperty("gcHeapBytes").GetInt64(),
            root.GetProperty("gcHeapLimitBytes").GetInt64(),
            [.. root.GetProperty("gcCollections").EnumerateArray().Select(count => count.GetInt64())]);
    }
}
