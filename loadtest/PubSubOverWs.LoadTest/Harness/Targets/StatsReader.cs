using System.Net.Http.Headers;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.LoadTest.Harness.Targets;

/// <summary>Reads the <c>/stats</c> of a server over one connection that stays open.</summary>
public sealed class StatsReader : IDisposable
{
    private readonly HttpClient _http;

    /// <param name="token">The bearer token; null: none.</param>
    public StatsReader(Uri server, Secret? token = null)
    {
        _http = new HttpClient(new SocketsHttpHandler { UseProxy = false }) { BaseAddress = server, Timeout = TimeSpan.FromSeconds(5) };
        if (token is not null)
            _http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", token.Value);
    }

    /// <summary>The last answer was 401 or 403.</summary>
    public bool IsRefused { get; private set; }

    /// <summary>The JSON, unchanged; null: the server did not answer with a JSON object.</summary>
    public async Task<string?> ReadAsync(CancellationToken cancellationToken)
    {
        try
        {
            using var response = await _http.GetAsync(new Uri("/stats", UriKind.Relative), cancellationToken);
            IsRefused = response.StatusCode is HttpStatusCode.Unauthorized or HttpStatusCode.Forbidden;
            if (!response.IsSuccessStatusCode)
                return null;
            var answer = await response.Content.ReadAsStringAsync(cancellationToken);
            return IsObject(answer) ? answer : null;
        }
        catch (HttpRequestException)
        {
            return null;
        }
        catch (TaskCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            return null; // The client's own time-out.
        }
    }

    /// <summary>False: another product may have something else there, such as a web page.</summary>
    public static bool IsObject(string answer)
    {
        try
        {
            using var document = JsonDocument.Parse(answer);
            return document.RootElement.ValueKind == JsonValueKind.Object;
        }
        catch (JsonException)
        {
            return false;
        }
    }

    /// <summary>The number of messages that the server holds; 0 without a queue; null: unknown.</summary>
    public static long? Held(string json) => InQueue(json, "held");

    /// <summary>The number of nodes that this server knows; 0 without a queue; null: unknown.</summary>
    public static long? Nodes(string json) => InQueue(json, "nodes");

    public void Dispose() => _http.Dispose();

    /// <summary>The queue in a server's <c>/stats</c>; null: it has none.</summary>
    public static (string Url, string? DeadLetterUrl, string? ParkedUrl)? QueueIn(string stats)
    {
        using var document = JsonDocument.Parse(stats);
        return document.RootElement.TryGetProperty("queue", out var queue) && queue.ValueKind == JsonValueKind.Object
            && queue.TryGetProperty("url", out var url) && url.GetString() is { } named
            ? (named, Text(queue, "deadLetterUrl"), Text(queue, "parkedUrl"))
            : null;
    }

    private static long? InQueue(string json, string name)
    {
        try
        {
            using var document = JsonDocument.Parse(json);
            if (!document.RootElement.TryGetProperty("queue", out var queue))
                return null;
            return queue.ValueKind == JsonValueKind.Null ? 0
                : queue.TryGetProperty(name, out var number) && number.TryGetInt64(out var count) ? count
                : null;
        }
        catch (JsonException)
        {
            return null;
        }
    }

    private static string? Text(JsonElement queue, string name) => queue.TryGetProperty(name, out var text) ? text.GetString() : null;
}

/// <summary>Waits until nodes know of each other: until then they exchange messages through the shared queue only.</summary>
public static class ClusterReadiness
{
    private static readonly TimeSpan FindTimeout = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan BetweenLooks = TimeSpan.FromMilliseconds(100);

    /// <summary>Completes when every node reports the right number of nodes.</summary>
    /// <exception cref="ChildException">They did not find each other.</exception>
    public static async Task WaitAsync(IReadOnlyList<ChildServer> nodes, TimeProvider time, CancellationToken stopping)
    {
        using var timeout = new CancellationTokenSource(FindTimeout, time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(timeout.Token, stopping);
        try
        {
            foreach (var node in nodes)
            {
                using var stats = new StatsReader(node.Address);
                while (await stats.ReadAsync(either.Token) is not { } json || StatsReader.Nodes(json) != nodes.Count)
                    await Task.Delay(BetweenLooks, time, either.Token);
            }
        }
        catch (OperationCanceledException) when (!stopping.IsCancellationRequested)
        {
            throw new ChildException(
                $"The {nodes.Count} servers did not find each other within {FindTimeout.TotalSeconds:0} s: see their logs.");
        }
    }
}

/// <summary>The part of a server's <c>/stats</c> about its memory and connections that do not read.</summary>
/// <param name="Taken">Messages that came in without what was shed or missed: taken by connections, or on their way to them.</param>
/// <param name="InQueue">
/// Messages of the queue, each of which may carry several, that are there or held by the server; 0 where there is no queue.
/// </param>
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
        var inQueue = root.GetProperty("queue") is { ValueKind: JsonValueKind.Object } queue
            ? queue.GetProperty("sent").GetInt64() - queue.GetProperty("deleted").GetInt64()
            : 0;
        return new ServerState(
            root.GetProperty("messages").GetProperty("in").GetInt64() - root.GetProperty("drops").GetProperty("shed").GetInt64(),
            inQueue,
            root.GetProperty("connections").GetProperty("slow").GetInt64(),
            root.GetProperty("gcHeapBytes").GetInt64(),
            root.GetProperty("gcHeapLimitBytes").GetInt64(),
            [.. root.GetProperty("gcCollections").EnumerateArray().Select(count => count.GetInt64())],
            TimeSpan.FromMicroseconds(root.GetProperty("gcPauseMicroseconds").GetInt64()),
            root.GetProperty("memory").GetProperty("mostBytes").GetInt64());
    }
}
