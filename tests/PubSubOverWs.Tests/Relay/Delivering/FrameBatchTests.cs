using System.Net.WebSockets;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Delivering;

/// <summary>The frames of a batch, as the framework's WebSocket reads them.</summary>
public sealed class FrameBatchTests
{
    // Both sides of the lengths at which the head of a frame becomes longer (RFC 6455, 5.2).
    private static readonly int[] Lengths = [0, 1, 125, 126, 65_535, 65_536, 2];

    [Fact]
    public async Task Frames_of_every_length_and_kind_leave_in_one_write_and_are_read_as_they_were_written()
    {
        var (server, client) = MemoryTransport.CreatePair();
        await using var stream = new CorkedStream(server);
        using var socket = WebSocket.CreateFromStream(stream, new WebSocketCreationOptions { IsServer = true });
        using var reader = WebSocket.CreateFromStream(client, new WebSocketCreationOptions { IsServer = false });
        var batch = new FrameBatch();
        foreach (var length in Lengths)
        {
            batch.Buffer.Append(Payload(length));
            batch.CloseFrame(KindOf(length));
        }

        await batch.WriteAsync(socket, stream);

        Assert.Single(server.Writes);
        Assert.Equal(server.Writes[0], stream.BytesOut);
        foreach (var length in Lengths)
        {
            var (bytes, kind) = await ReadAsync(reader);
            Assert.Equal(Payload(length), bytes);
            Assert.Equal(KindOf(length), kind);
        }
    }

    [Fact]
    public async Task A_batch_can_be_used_again_and_nothing_of_its_last_use_is_left()
    {
        var (server, client) = MemoryTransport.CreatePair();
        await using var stream = new CorkedStream(server);
        using var socket = WebSocket.CreateFromStream(stream, new WebSocketCreationOptions { IsServer = true });
        using var reader = WebSocket.CreateFromStream(client, new WebSocketCreationOptions { IsServer = false });
        var batch = new FrameBatch();

        for (var use = 1; use <= 3; use++)
        {
            for (var i = 0; i < use; i++)
            {
                batch.Buffer.Append(Payload(use));
                batch.CloseFrame(WebSocketMessageType.Binary);
            }
            await batch.WriteAsync(socket, stream);
            batch.Clear();
        }

        for (var use = 1; use <= 3; use++)
        {
            for (var i = 0; i < use; i++)
                Assert.Equal(Payload(use), (await ReadAsync(reader)).Bytes);
        }
        Assert.Equal(3, server.Writes.Length);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_ping_leaves_alone_or_among_other_frames_and_is_answered(bool isLast)
    {
        var (server, client) = MemoryTransport.CreatePair();
        await using var stream = new CorkedStream(server);
        using var socket = WebSocket.CreateFromStream(stream, new WebSocketCreationOptions { IsServer = true });
        using var reader = WebSocket.CreateFromStream(client, new WebSocketCreationOptions { IsServer = false });
        var batch = new FrameBatch();
        batch.CloseFrame(null);
        await batch.WriteAsync(socket, stream);
        batch.Clear();
        batch.Buffer.Append(Payload(1));
        batch.CloseFrame(WebSocketMessageType.Text);
        batch.CloseFrame(null);
        if (!isLast)
        {
            batch.Buffer.Append(Payload(2));
            batch.CloseFrame(WebSocketMessageType.Text);
        }

        await batch.WriteAsync(socket, stream);
        batch.Clear();
        batch.Buffer.Append(Payload(3));
        batch.CloseFrame(WebSocketMessageType.Text);
        await batch.WriteAsync(socket, stream);

        foreach (var length in isLast ? [1, 3] : new[] { 1, 2, 3 })
            Assert.Equal(Payload(length), (await ReadAsync(reader)).Bytes);
        // PINGs have two bytes of their own, as the heads of the others do.
        Assert.Equal(isLast ? [2, 3 + 2, 5] : [2, 3 + 2 + 4, 5], server.Writes);
        // A PONG of a client: head and mask, for each PING.
        await Waiting.UntilAsync(() => client.BytesWritten == 2 * 6);
    }

    private static WebSocketMessageType KindOf(int length) =>
        length % 2 == 0 ? WebSocketMessageType.Text : WebSocketMessageType.Binary;

    private static byte[] Payload(int length) => [.. Enumerable.Range(0, length).Select(i => (byte)('a' + (i % 26)))];

    private static async Task<(byte[] Bytes, WebSocketMessageType Kind)> ReadAsync(WebSocket socket)
    {
        var (buffer, count) = (new byte[70_000], 0);
        while (true)
        {
            var received = await socket.ReceiveAsync(buffer.AsMemory(count), CancellationToken.None);
            count += received.Count;
            if (received.EndOfMessage)
                return (buffer[..count], received.MessageType);
        }
    }
}
