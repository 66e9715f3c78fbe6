using System.Net.WebSockets;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.Tests.LoadTest.Harness.Clients;

public sealed class StompMessagesTests
{
    [Fact]
    public async Task Connect_asks_for_version_1_2()
    {
        var frame = await ServerReadsAsync(StompMessages.Connect("127.0.0.1", ServerAccess.None));

        Assert.Equal("CONNECT\naccept-version:1.2\nhost:127.0.0.1\n\n\0", frame);
    }

    [Fact]
    public async Task Connect_carries_login_and_passcode_where_the_server_has_users() => Assert.Equal(
        "CONNECT\naccept-version:1.2\nhost:h\nlogin:me\npasscode:a:b\\c\n\n\0",
        await ServerReadsAsync(StompMessages.Connect("h", new ServerAccess("me", new Secret("a:b\\c"), StatsToken: null))));

    [Fact]
    public async Task Subscribe_asks_for_a_receipt_of_its_own_id() =>
        Assert.Equal(
            "SUBSCRIBE\nid:s\ndestination:/queue/a\nack:auto\nreceipt:s\n\n\0",
            await ServerReadsAsync(StompMessages.Subscribe("s", "/queue/a")));

    [Fact]
    public async Task Send_carries_the_message_id_and_no_receipt() =>
        Assert.Equal(
            "SEND\ndestination:/queue/a\nid:r-1-0\ncontent-length:4\n\nbody\0",
            await ServerReadsAsync(StompMessages.Send("/queue/a", "r-1-0", "body"u8.ToArray(), receipt: null)));

    [Fact]
    public async Task Send_carries_a_receipt_when_asked() =>
        Assert.Contains(
            "\nreceipt:m\n", await ServerReadsAsync(StompMessages.Send("/queue/a", "r-1-0", "body"u8.ToArray(), "m")),
            StringComparison.Ordinal);

    [Fact]
    public async Task Leaving_disconnects_and_closes_normally()
    {
        using var stream = new MemoryStream(StompMessages.Leave());
        using var server = WebSocket.CreateFromStream(stream, new WebSocketCreationOptions { IsServer = true });
        var buffer = new byte[1024];

        var disconnect = await server.ReceiveAsync(buffer, CancellationToken.None);
        Assert.True(new StompReader(new StompLimits()).TryRead(buffer.AsSpan(0, disconnect.Count), out var frame, out _));
        Assert.Equal(StompCommand.Disconnect, frame.Command);
        Assert.Equal(WebSocketMessageType.Close, (await server.ReceiveAsync(buffer, CancellationToken.None)).MessageType);
        Assert.Equal(WebSocketCloseStatus.NormalClosure, server.CloseStatus);
    }

    private static async Task<string> ServerReadsAsync(byte[] bytes)
    {
        using var stream = new MemoryStream(bytes);
        using var server = WebSocket.CreateFromStream(stream, new WebSocketCreationOptions { IsServer = true });
        var buffer = new byte[1024];
        var result = await server.ReceiveAsync(buffer, CancellationToken.None);
        Assert.True(result.EndOfMessage);
        Assert.Equal(bytes.Length, stream.Position);
        return System.Text.Encoding.UTF8.GetString(buffer, 0, result.Count);
    }
}
