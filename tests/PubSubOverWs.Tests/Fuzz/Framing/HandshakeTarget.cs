using System.Text;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Fuzz.Framing;

/// <summary>
/// Requests that are handshakes, or nearly: a server with the lean front end must answer each as a server without it does, whether it
/// answers by itself or leaves the request to HTTP.
/// </summary>
internal sealed class HandshakeTarget : IFuzzTarget
{
    public const string Id = "handshake";

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);

    private static readonly (string Name, string Value, string[] Others)[] Usual =
    [
        ("Host", "127.0.0.1:5000",
            ["", "a b", "[::1]:80", "[::1", "[::1]x", "a:b", "a:", ":80", "a@b", "EXAMPLE.org", "xn--a", "a_b", "1::2"]),
        ("Upgrade", "websocket", ["WebSocket", "h2c", "websocket, h2c", "\"websocket\"", ""]),
        ("Connection", "Upgrade",
            ["upgrade", "keep-alive, Upgrade", "Upgrade,close", "close", "\"Upgrade\"", "Upgrade;a", ",,Upgrade,", ""]),
        ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==",
            ["dGhlIHNhbXBsZSBub25jZR==", "dGhlIHNhbXBsZSBub25jZQ", "dGhlIHNhbXBsZSBub25jZTEy", "!GhlIHNhbXBsZSBub25jZQ==", ""]),
        ("Sec-WebSocket-Version", "13", ["8", "13, 8", "013", ""]),
    ];

    private static readonly (string Name, string[] Values)[] Others =
    [
        ("Sec-WebSocket-Protocol", ["v12.stomp", "v10.stomp, v12.stomp", "mqtt", "mqtt,v11.stomp", "V12.STOMP", "\"v12.stomp\"", ""]),
        ("Origin", ["http://127.0.0.1:5000", "http://evil.example", "null", "127.0.0.1:5000", ""]),
        ("Authorization", ["Bearer a", ""]),
        ("X-Forwarded-For", ["192.0.2.1", "a, b"]),
        ("Content-Length", ["0", "5", "-1", ""]),
        ("Transfer-Encoding", ["chunked", "identity"]),
        ("Expect", ["100-continue"]),
        ("Cookie", ["a=1", "\u00e9"]),
        ("Sec-WebSocket-Extensions", ["permessage-deflate"]),
        ("X\u0001", ["a"]),
    ];

    private readonly MemoryServer _framework;
    private readonly MemoryServer _lean;

    private HandshakeTarget(MemoryServer framework, MemoryServer lean) => (_framework, _lean) = (framework, lean);

    public string Name => Id;

    public string Unit => FuzzTargets.Connections;

    public static async Task<HandshakeTarget> StartAsync() =>
        new(await MemoryServer.StartAsync(FrontEnd.Framework), await MemoryServer.StartAsync(FrontEnd.Lean));

    public async Task<int> StepAsync(Draw draw)
    {
        var request = Request(draw);
        var (framework, lean) = (await AnswerAsync(_framework, request), await AnswerAsync(_lean, request));
        if (framework != lean)
            Assert.Fail($"To {Encoding.Latin1.GetString(request)} the framework answers {framework}, and the lean front end {lean}.");
        return 2;
    }

    public async ValueTask DisposeAsync()
    {
        await _framework.DisposeAsync();
        await _lean.DisposeAsync();
    }

    private static byte[] Request(Draw draw)
    {
        List<string> lines = [];
        foreach (var (name, value, others) in Usual)
        {
            for (var times = draw.OneIn(30) ? 2 * draw.Below(2) : 1; times > 0; times--)
                lines.Add(Header(draw, name, draw.OneIn(12) ? draw.Of<string>(others) : value));
        }
        while (draw.OneIn(3))
        {
            var (name, values) = draw.Of<(string, string[])>(Others);
            lines.Insert(draw.Below(lines.Count + 1), Header(draw, name, draw.Of<string>(values)));
        }
        var method = draw.OneIn(20) ? draw.Of("get", "POST", "CONNECT", "") : "GET";
        var target = draw.OneIn(5)
            ? draw.Of(
                "/raw", "/WS", "/ws/", "/ws?", "/ws?access_token=a", "/ws?a b", "/ws#a", "/%77s", "/wss", "http://a/ws", "*", "/ws?%zz\"<")
            : "/ws";
        lines.Insert(0, $"{method} {target} HTTP/{(draw.OneIn(20) ? draw.Of("1.0", "2", "1.1 ", "1.10") : "1.1")}");
        var bytes = Encoding.Latin1.GetBytes(string.Join(draw.OneIn(40) ? "\n" : "\r\n", lines.Append("").Append("")));
        return draw.OneIn(6) ? draw.Mutate(bytes, " \t\r\n:?/,\"\0"u8) : bytes;
    }

    private static string Header(Draw draw, string name, string value)
    {
        name = draw.OneIn(6) ? draw.Of(name.ToLowerInvariant(), name.ToUpperInvariant()) : name;
        var colon = draw.OneIn(12) ? draw.Of(":", ":\t ", " :", ":\r\n ") : ": ";
        return $"{name}{colon}{value}{(draw.OneIn(20) ? draw.Of(" ", "\t", "\v") : "")}";
    }

    // Of a handshake that is accepted, what the client looks at; of anything else all, as the server says it until it closes.
    private static async Task<string> AnswerAsync(MemoryServer server, byte[] request)
    {
        var connection = server.Connect();
        await connection.SendAsync(request);
        connection.Complete();
        List<byte> received = [];
        while (await connection.ReceiveAsync(received).WaitAsync(Patience))
        {
            // Until the server ends it.
        }
        await connection.Ended.WaitAsync(Patience);
        var lines = Encoding.Latin1.GetString([.. received]).Split("\r\n");
        return lines[0].StartsWith("HTTP/1.1 101 ", StringComparison.Ordinal)
            ? string.Join('|', lines.Where(line => line.StartsWith("Sec-", StringComparison.Ordinal)).Order(StringComparer.Ordinal))
            : string.Join('|', lines.Where(line => !line.StartsWith("Date: ", StringComparison.Ordinal)));
    }
}
