using System.Net;
using System.Net.Sockets;
using System.Net.WebSockets;
using System.Text;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.EndToEndTests.Relay;

/// <summary>Limits that protect well-behaved clients from others. Tried on the direct server: both servers share this code.</summary>
public sealed class LimitsTests(SharedServers servers) : IClassFixture<SharedServers>
{
    private const string HalfHandshake = "GET /ws HTTP/1.1\r\nHost: test\r\nUpgrade: websocket\r\n";
    private const string Handshake = HalfHandshake
        + "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Extensions: "
        + "permessage-deflate\r\n\r\n";

    [Theory]
    [InlineData("Framework")]
    [InlineData("Lean")]
    public async Task Incomplete_handshakes_are_cut_and_do_not_delay_other_clients(string frontEnd)
    {
        var server = await ImpatientAsync(frontEnd);
        List<Socket> slow = [];
        for (var i = 0; i < 200; i++)
            slow.Add(await SendAsync(server, HalfHandshake));

        using var proper = await StompUser.ConnectAsync(server.Address).WaitAsync(TimeSpan.FromSeconds(1.5));
        await Task.WhenAll(slow.Select(ReadToEndAsync)).Patiently();

        slow.ForEach(socket => socket.Dispose());
    }

    [Theory]
    [InlineData("Framework")]
    [InlineData("Lean")]
    public async Task Sockets_that_send_nothing_are_cut_and_a_silent_WebSocket_is_not(string frontEnd)
    {
        var server = await ImpatientAsync(frontEnd);
        using var raw = await OpenAsync(server);
        List<Socket> silent = [];
        for (var i = 0; i < 50; i++)
            silent.Add(await SendAsync(server, ""));

        var ends = await Task.WhenAll(silent.Select(ReadToEndAsync)).Patiently();

        Assert.All(ends, Assert.Empty);
        await raw.SendAsync("still here"u8.ToArray(), WebSocketMessageType.Text, endOfMessage: true, CancellationToken.None);
        var back = new byte[100];
        Assert.Equal("still here".Length, (await raw.ReceiveAsync(back, CancellationToken.None).Patiently()).Count);
        silent.ForEach(socket => socket.Dispose());
    }

    [Theory]
    [InlineData("Framework")]
    [InlineData("Lean")]
    public async Task Compression_is_never_agreed_on_though_a_client_offers_it(string frontEnd)
    {
        var server = await ImpatientAsync(frontEnd);
        using var socket = await SendAsync(server, Handshake);
        var answer = new byte[1024];

        var head = Encoding.ASCII.GetString(answer, 0, await socket.ReceiveAsync(answer).Patiently());

        Assert.StartsWith("HTTP/1.1 101 ", head, StringComparison.Ordinal);
        Assert.DoesNotContain("Extensions", head, StringComparison.OrdinalIgnoreCase);
    }

    [Theory]
    [InlineData("Framework")]
    [InlineData("Lean")]
    public async Task A_peer_that_answers_no_ping_is_cut(string frontEnd)
    {
        await using var server = await TestServers.DirectAsync(
            "--Relay:FrontEnd", frontEnd, "--Relay:KeepAlive", "00:00:01", "--Relay:KeepAliveTimeout", "00:00:01");
        using var socket = await SendAsync(server, Handshake);

        var bytes = await ReadToEndAsync(socket).Patiently();

        // The answer to the handshake, and then a PING without a body, or more of them.
        Assert.Equal(0x89, bytes[bytes.AsSpan().IndexOf("\r\n\r\n"u8) + 4]);
    }

    [Theory]
    [InlineData("Framework", "--Relay:MaxConnections", HttpStatusCode.ServiceUnavailable)]
    [InlineData("Framework", "--Relay:MaxConnectionsPerAddress", HttpStatusCode.TooManyRequests)]
    [InlineData("Lean", "--Relay:MaxConnectionsPerAddress", HttpStatusCode.TooManyRequests)]
    public async Task One_connection_too_many_is_refused_at_the_handshake_and_counted(
        string frontEnd, string setting, HttpStatusCode status)
    {
        await using var server = await TestServers.DirectAsync("--Relay:FrontEnd", frontEnd, setting, "1");
        using var first = await OpenAsync(server);

        using var second = new ClientWebSocket { Options = { CollectHttpResponseDetails = true } };
        await Assert.ThrowsAsync<WebSocketException>(() => second.ConnectAsync(Address(server), CancellationToken.None));

        Assert.Equal(status, second.HttpStatusCode);
        using var http = new HttpClient { BaseAddress = server.Address };
        Assert.Contains(
            "\"refused\":1,\"limited\":1,", await http.GetStringAsync(new Uri("/stats", UriKind.Relative)), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("Framework")]
    [InlineData("Lean")]
    public async Task Connections_other_than_WebSockets_are_limited_and_WebSockets_do_not_count_among_them(string frontEnd)
    {
        await using var server = await TestServers.DirectAsync("--Relay:FrontEnd", frontEnd, "--Relay:MaxHttpConnections", "2");
        List<ClientWebSocket> open = [];
        for (var i = 0; i < 3; i++)
            open.Add(await OpenAsync(server));
        // A server counts a connection when it begins to serve it, in no promised order: one of the three is refused, whichever it is.
        using var first = await SendAsync(server, HalfHandshake);
        using var second = await SendAsync(server, HalfHandshake);
        using var third = await SendAsync(server, HalfHandshake);
        List<Socket> waiting = [first, second, third];
        var ends = waiting.ConvertAll(socket => socket.ReceiveAsync(Array.Empty<byte>()));
        var refused = waiting[ends.IndexOf(await Task.WhenAny(ends).WaitAsync(TimeSpan.FromSeconds(5)))];
        Assert.Empty(await ReadToEndAsync(refused).WaitAsync(TimeSpan.FromSeconds(5)));

        waiting.Remove(refused);
        await waiting[0].SendAsync(Encoding.ASCII.GetBytes(Handshake[HalfHandshake.Length..]));
        var answer = new byte[1024];
        Assert.StartsWith(
            "HTTP/1.1 101 ", Encoding.ASCII.GetString(answer, 0, await waiting[0].ReceiveAsync(answer).Patiently()),
            StringComparison.Ordinal);
        open.ForEach(socket => socket.Dispose());
    }

    private Task<ChildServer> ImpatientAsync(string frontEnd) => servers.DirectAsync(
        "--Relay:FrontEnd", frontEnd, "--Relay:Backlog", "16", "--Relay:HandshakeTimeout", "00:00:02");

    private static Uri Address(ChildServer server) => new($"ws://{server.Address.Authority}/ws");

    private static async Task<ClientWebSocket> OpenAsync(ChildServer server)
    {
        var socket = new ClientWebSocket();
        await socket.ConnectAsync(Address(server), CancellationToken.None);
        return socket;
    }

    private static async Task<Socket> SendAsync(ChildServer server, string text)
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(server.Address.Host, server.Address.Port);
        await socket.SendAsync(Encoding.ASCII.GetBytes(text));
        return socket;
    }

    private static async Task<byte[]> ReadToEndAsync(Socket socket)
    {
        using var all = new MemoryStream();
        var buffer = new byte[1024];
        try
        {
            while (await socket.ReceiveAsync(buffer) is > 0 and var count)
                all.Write(buffer, 0, count);
        }
        catch (SocketException)
        {
            // A reset is an end as well.
        }
        return all.ToArray();
    }
}
