namespace PubSubOverWs.Experiment.Experiments.Transports;

/// <summary>How clients receive what a feed server has for them.</summary>
public static class TransportArms
{
    public const string WebSocket = "websocket";
    public const string LongPolling = "long-polling";
    public const string Polling = "polling";
    public const string Events = "sse";

    /// <summary>The target of all of them.</summary>
    public const string Target = "feed";

    public static IReadOnlyList<Arm> All { get; } =
    [
        new(WebSocket, Target) { About = "the server sends each measurement at once" },
        new(LongPolling, Target) { About = "a poll is always outstanding, and is answered when there is something" },
        new(Polling, Target) { About = "a poll is answered at once, and the next one follows after a pause" },
        new(Events, Target) { About = "server-sent events: one response that does not end" },
    ];

    /// <summary>All against WebSocket, as published, and the two kinds of polling.</summary>
    public static IReadOnlyList<Contrast> Contrasts { get; } =
    [
        new(WebSocket, LongPolling), new(WebSocket, Polling), new(WebSocket, Events), new(LongPolling, Polling),
    ];
}
