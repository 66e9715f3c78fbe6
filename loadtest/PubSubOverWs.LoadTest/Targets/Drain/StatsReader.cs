using System.Net;
using System.Net.Http.Headers;
using System.Text.Json;
using PubSubOverWs.LoadTest.Clients;

namespace PubSubOverWs.LoadTest.Targets.Drain;

/// <summary>Asks a server for its <c>/stats</c>, over one connection that stays open.</summary>
public sealed class StatsReader : IDisposable
{
    private readonly HttpClient _http;

    /// <param name="server">Where it is.</param>
    /// <param name="token">What it wants to see; null: nothing.</param>
    public StatsReader(Uri server, Secret? token = null)
    {
        _http = new HttpClient(new SocketsHttpHandler { UseProxy = false }) { BaseAddress = server, Timeout = TimeSpan.FromSeconds(5) };
        if (token is not null)
            _http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", token.Value);
    }

    /// <summary>The last answer was that the token, or the lack of one, was not good enough.</summary>
    public bool IsRefused { get; private set; }

    /// <summary>The JSON as it came; null: the server did not answer, or not with a JSON object.</summary>
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

    /// <summary>False: another product's server may have something else there, such as a page for people.</summary>
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

    /// <summary>How many messages the server holds; 0 where it has no queue, null when it does not tell.</summary>
    public static long? Held(string json) => InQueue(json, "held");

    /// <summary>How many nodes share the work, as this server knows; 0 where it has no queue, null when it does not tell.</summary>
    public static long? Nodes(string json) => InQueue(json, "nodes");

    public void Dispose() => _http.Dispose();

    /// <summary>The queue that a server's <c>/stats</c> names; null: it has none.</summary>
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
