using System.Net.Sockets;
using System.Net.WebSockets;
using System.Text;
using PubSubOverWs.LoadTest.Experiments.Interference.Load;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.EndToEndTests.Load;

/// <summary>The stream server as a client of another make sees it: that of the framework.</summary>
public sealed class StreamServerTests(SharedServers servers) : IClassFixture<SharedServers>, IAsyncLifetime
{
    private static readonly byte[] Upgrade = Encoding.ASCII.GetBytes(
        "GET /ws?dummyPeriodUs=0 HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");

    private ChildServer _server = null!;

    public async Task InitializeAsync() => _server = await servers.GetAsync(
        ChildCommand.ThisProgram(StreamServer.Command, "--dummy-bytes", "300", "--dummy-period", "1ms"));

    public Task DisposeAsync() => Task.CompletedTask;

    [Fact]
    public async Task It_streams_what_its_settings_say_to_a_client_that_only_connects()
    {
        using var client = await ConnectAsync("/ws");

        for (var i = 0; i < 20; i++)
            Assert.Equal(300, (await ReceiveAsync(client)).Length);
        await LeaveAsync(client);
    }

    [Fact]
    public async Task Every_text_message_comes_back_once_between_those_of_the_stream()
    {
        using var client = await ConnectAsync("/ws?dummyBytes=100000&dummyPeriodUs=500");
        var ids = Enumerable.Range(0, 50).Select(i => $"request {i}").ToArray();

        foreach (var id in ids)
            await client.SendAsync(Encoding.ASCII.GetBytes(id), WebSocketMessageType.Text, true, CancellationToken.None);
        var replies = new List<string>();
        while (replies.Count < ids.Length)
        {
            var message = await ReceiveAsync(client);
            if (message.Length != 100_000)
                replies.Add(message);
        }

        Assert.Equal(ids, replies);
        await LeaveAsync(client);
    }

    [Fact]
    public async Task A_large_message_comes_in_chunks_which_are_whole_messages()
    {
        using var client = await ConnectAsync("/ws?dummyBytes=40000&dummyPeriodUs=1000&chunkBytes=16384");

        for (var i = 0; i < 5; i++)
        {
            Assert.Equal(16_384, (await ReceiveAsync(client)).Length);
            Assert.Equal(16_384, (await ReceiveAsync(client)).Length);
            Assert.Equal(7_232, (await ReceiveAsync(client)).Length);
        }

        await LeaveAsync(client);
    }

    // A client that gets a message before the answer to its upgrade fails.
    [Fact]
    public async Task The_stream_never_begins_before_the_answer_to_the_upgrade()
    {
        for (var i = 0; i < 100; i++)
        {
            using var client = await ConnectAsync("/ws?dummyBytes=10&dummyPeriodUs=1");
            Assert.Equal(10, (await ReceiveAsync(client)).Length);
        }
    }

    [Fact]
    public async Task A_connection_that_asked_for_something_else_first_may_become_a_websocket()
    {
        using var client = new TcpClient("127.0.0.1", _server.Address.Port);
        using var reader = new StreamReader(client.GetStream(), Encoding.ASCII);

        client.Client.Send("GET /health/ready HTTP/1.1\r\nHost: localhost\r\n\r\n"u8);
        var ready = await ReadHeadAsync(reader);
        client.Client.Send(Upgrade);
        var upgraded = await ReadHeadAsync(reader);

        Assert.Equal("HTTP/1.1 200 OK", ready[0]);
        Assert.Equal("HTTP/1.1 101 Switching Protocols", upgraded[0]);
        Assert.Contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", upgraded); // RFC 6455, section 1.3.
    }

    [Fact]
    public async Task A_connection_whose_client_has_said_close_is_closed()
    {
        using var client = new TcpClient("127.0.0.1", _server.Address.Port);
        using var reader = new StreamReader(client.GetStream(), Encoding.Latin1);
        client.Client.Send(Upgrade);
        await ReadHeadAsync(reader);

        client.Client.Send(ClientFrames.Write(Opcodes.Close, ClientFrames.NormalClosure, mask: 0x12345678));

        Assert.Equal("\u0088\u0002\u0003\u00e8", await ReadToEndAsync(reader)); // RFC 6455, section 5.5.1: 1000.
    }

    [Theory]
    [InlineData("GET /stats HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", "HTTP/1.1 404")]
    [InlineData("no HTTP\r\n\r\n", "HTTP/1.1 400")]
    public async Task A_connection_that_is_to_end_after_its_answer_is_closed(string head, string answer)
    {
        using var client = new TcpClient("127.0.0.1", _server.Address.Port);
        using var reader = new StreamReader(client.GetStream(), Encoding.ASCII);

        client.Client.Send(Encoding.ASCII.GetBytes(head));

        Assert.StartsWith(answer, await ReadToEndAsync(reader), StringComparison.Ordinal);
    }

    // It is larger than what is kept of one.
    [Fact]
    public async Task After_a_body_that_nobody_reads_the_next_request_is_answered()
    {
        using var client = new TcpClient("127.0.0.1", _server.Address.Port);
        using var reader = new StreamReader(client.GetStream(), Encoding.ASCII);

        client.Client.Send("POST /ws HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n"u8);
        client.Client.Send(new byte[1_000_000]);
        client.Client.Send("GET /health/ready HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"u8);

        Assert.Equal("HTTP/1.1 400 Bad Request", (await ReadHeadAsync(reader))[0]);
        Assert.StartsWith("HTTP/1.1 200", await ReadToEndAsync(reader), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_client_that_does_not_read_and_goes_leaves_the_server_to_the_others()
    {
        using (await ConnectAsync("/ws?dummyBytes=1000000&dummyPeriodUs=1"))
        {
        }

        using var client = await ConnectAsync("/ws?dummyPeriodUs=0");
        foreach (var id in new[] { "still there?", "and now?" })
        {
            await client.SendAsync(Encoding.ASCII.GetBytes(id), WebSocketMessageType.Text, true, CancellationToken.None);
            Assert.Equal(id, await ReceiveAsync(client));
        }
        await LeaveAsync(client);
        Assert.True(_server.IsRunning);
    }

    private async Task<ClientWebSocket> ConnectAsync(string pathAndQuery)
    {
        var client = new ClientWebSocket();
        await client.ConnectAsync(new UriBuilder(new Uri(_server.Address, pathAndQuery)) { Scheme = "ws" }.Uri, CancellationToken.None);
        return client;
    }

    private static async Task<string> ReceiveAsync(ClientWebSocket client)
    {
        var buffer = new byte[1 << 20];
        var filled = 0;
        ValueWebSocketReceiveResult result;
        do
        {
            result = await client.ReceiveAsync(buffer.AsMemory(filled), CancellationToken.None);
            filled += result.Count;
        }
        while (!result.EndOfMessage);
        return Encoding.ASCII.GetString(buffer, 0, filled);
    }

    private static Task<string> ReadToEndAsync(StreamReader reader) => reader.ReadToEndAsync().WaitAsync(TimeSpan.FromSeconds(30));

    private static async Task<List<string>> ReadHeadAsync(StreamReader reader)
    {
        var lines = new List<string>();
        while (await reader.ReadLineAsync() is { Length: > 0 } line)
            lines.Add(line);
        return lines;
    }

    // The server answers the close, behind what it has begun to write.
    private static async Task LeaveAsync(ClientWebSocket client)
    {
        await client.CloseAsync(WebSocketCloseStatus.NormalClosure, null, CancellationToken.None);
        Assert.Equal((WebSocketState.Closed, WebSocketCloseStatus.NormalClosure), (client.State, client.CloseStatus));
    }
}
