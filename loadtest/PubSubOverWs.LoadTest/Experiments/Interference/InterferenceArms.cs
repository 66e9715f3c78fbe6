namespace PubSubOverWs.LoadTest.Experiments.Interference;

/// <summary>The ways in which replies and the stream reach a client.</summary>
public static class InterferenceArms
{
    /// <summary>The server of this program that streams and echoes.</summary>
    public const string Server = "stream-server";

    public const string OneSocket = "one-socket";

    public const string TwoSockets = "two-sockets";

    public const string Chunked = "chunked";

    public const string Http2 = "http2";

    /// <summary>Also the target: any server of the same protocol, at an address.</summary>
    public const string Reference = "reference";

    public static IReadOnlyList<Arm> All { get; } =
    [
        new(OneSocket, Server) { About = "replies and whole messages of the stream on one socket, as published" },
        new(TwoSockets, Server) { About = "the stream on a socket of its own" },
        new(Chunked, Server) { About = "one socket, large messages in chunks, and replies go before the next chunk" },
        new(Http2, Server) { About = "one WebSocket for replies and one for the stream, on one HTTP/2 connection" },
        new(Reference, Reference) { About = "one socket, of the server at --reference" },
    ];

    /// <summary>Those of the server that the run starts.</summary>
    public static IReadOnlyList<Arm> Started { get; } = [.. All.Where(arm => arm.Target == Server)];

    /// <summary>A second socket, chunks and streams of HTTP/2 against one socket; and the server of this program against another.</summary>
    public static IReadOnlyList<Contrast> Contrasts { get; } =
        [new(OneSocket, TwoSockets), new(OneSocket, Chunked), new(OneSocket, Http2), AgainstReference];

    public static Contrast AgainstReference => new(Reference, OneSocket);
}
