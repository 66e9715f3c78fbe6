namespace PubSubOverWs.LoadTest.Experiments.Transports;

/// <summary>How clients receive what a feed server has for them.</summary>
public static class TransportArms
{
    public const string WebSocket = "websocket";
    public const string LongPolling = "long-polling";
    public const string Polling = "polling";
    public const string Events = "sse";

    /// <summary>Over HTTP/2, in the clear and without a negotiation before it.</summary>
    public const string WebSocketHttp2 = "websocket-h2";

    public const string LongPollingHttp2 = "long-polling-h2";

    /// <summary>The target of all of them.</summary>
    public const string Target = "feed";

    public static IReadOnlyList<Arm> All { get; } =
    [
        new(WebSocket, Target) { About = "the server sends each measurement at once" },
        new(LongPolling, Target) { About = "a poll is always outstanding, and is answered when there is something" },
        new(Polling, Target) { About = "a poll is answered at once, and the next one follows after a pause" },
        new(Events, Target) { About = "server-sent events: one response that does not end" },
    ];

    /// <summary>With those over HTTP/2.</summary>
    public static IReadOnlyList<Arm> WithHttp2 { get; } =
    [
        .. All,
        new(WebSocketHttp2, Target) { About = "as websocket, over HTTP/2 (RFC 8441)" },
        new(LongPollingHttp2, Target) { About = "as long-polling, over HTTP/2" },
    ];

    /// <summary>All against WebSocket, as published, and the two kinds of polling.</summary>
    public static IReadOnlyList<Contrast> Contrasts { get; } =
    [
        new(WebSocket, LongPolling), new(WebSocket, Polling), new(WebSocket, Events), new(LongPolling, Polling),
    ];

    /// <summary>With those over HTTP/2, against the same over HTTP/1.1.</summary>
    public static IReadOnlyList<Contrast> ContrastsWithHttp2 { get; } =
        [.. Contrasts, new(WebSocket, WebSocketHttp2), new(LongPolling, LongPollingHttp2)];
}
