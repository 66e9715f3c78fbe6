using System.Net.WebSockets;
using System.Text;
using PubSubOverWs.LoadTest.Harness.Clients;

namespace PubSubOverWs.Tests.LoadTest.Harness.Clients;

public sealed class ReceiveBufferTests
{
    [Fact]
    public async Task Payload_comes_out_the_same_however_the_bytes_are_cut()
    {
        using var script = new ServerScript();
        var expected = new StringBuilder();
        foreach (var size in new[] { 0, 1, 125, 126, 300, 5000, 70_000 })
        {
            var text = new string((char)('a' + size % 26), size);
            expected.Append(text);
            await script.SendAsync(text);
        }

        foreach (var piece in new[] { 1, 2, 3, 7, 64, 1000, 100_000 })
            Assert.Equal(expected.ToString(), Read(script.Bytes, piece, consumeAtOnce: true));
    }

    [Fact]
    public async Task Unconsumed_payload_is_kept_while_the_buffer_grows()
    {
        using var script = new ServerScript();
        for (var i = 0; i < 100; i++)
            await script.SendAsync(new string((char)('a' + i % 26), 100));

        Assert.Equal(10_000, Read(script.Bytes, pieces: 33, consumeAtOnce: false).Length);
    }

    [Fact]
    public async Task Fragments_of_a_message_are_one_stream()
    {
        using var script = new ServerScript();
        await script.SendAsync("one ", endOfMessage: false);
        await script.SendAsync("message", endOfMessage: true);

        Assert.Equal("one message", Read(script.Bytes, pieces: 4, consumeAtOnce: false));
    }

    [Fact]
    public void A_ping_between_the_fragments_is_noted_and_leaves_the_payload_whole()
    {
        using var buffer = new ReceiveBuffer();
        Receive(buffer, [0x01, 0x02, (byte)'a', (byte)'b', 0x89, 0x02, (byte)'h', (byte)'i', 0x80, 0x01, (byte)'c']);

        Assert.Equal("abc"u8.ToArray(), buffer.Payload.ToArray());
        Assert.Equal("hi"u8.ToArray(), buffer.Ping);
    }

    [Fact]
    public async Task Bytes_after_a_close_frame_are_not_read()
    {
        using var script = new ServerScript();
        await script.SendAsync("last words");
        await script.CloseAsync();
        script.Raw(0x81, 0x01, (byte)'x');
        using var buffer = new ReceiveBuffer();
        Receive(buffer, script.Bytes);

        Assert.True(buffer.Closed);
        Assert.Equal("last words"u8.ToArray(), buffer.Payload.ToArray());
    }

    [Theory]
    [InlineData(0x81, 0x81)] // masked
    [InlineData(0xC1, 0x01)] // a reserved bit without an extension
    public void A_frame_that_no_server_may_send_is_refused(byte first, byte second)
    {
        using var buffer = new ReceiveBuffer();

        Assert.Throws<InvalidDataException>(() => Receive(buffer, [first, second, 0, 0, 0, 0, 0]));
    }

    [Fact]
    public void A_frame_beyond_2_GiB_is_refused_before_it_comes()
    {
        using var buffer = new ReceiveBuffer();

        Assert.Throws<InvalidDataException>(() => Receive(buffer, [0x82, 127, 0, 0, 0, 1, 0, 0, 0, 0]));
    }

    private static string Read(byte[] bytes, int pieces, bool consumeAtOnce)
    {
        using var buffer = new ReceiveBuffer();
        var read = new StringBuilder();
        foreach (var piece in bytes.Chunk(pieces))
        {
            Receive(buffer, piece);
            if (!consumeAtOnce)
                continue;
            read.Append(Encoding.UTF8.GetString(buffer.Payload));
            buffer.Consume(buffer.Payload.Length);
        }
        return read.Append(Encoding.UTF8.GetString(buffer.Payload)).ToString();
    }

    private static void Receive(ReceiveBuffer buffer, ReadOnlySpan<byte> bytes)
    {
        while (bytes.Length > 0)
        {
            var room = buffer.GetMemory().Span;
            var count = Math.Min(room.Length, bytes.Length);
            bytes[..count].CopyTo(room);
            buffer.Received(count);
            buffer.Unframe();
            bytes = bytes[count..];
        }
    }
}

/// <summary>The bytes of a server, as the runtime's own WebSocket writes them: the oracle for our client side.</summary>
internal sealed class ServerScript : IDisposable
{
    private readonly MemoryStream _written = new();
    private readonly WebSocket _socket;

    public ServerScript() => _socket = WebSocket.CreateFromStream(_written, new WebSocketCreationOptions { IsServer = true });

    public byte[] Bytes => _written.ToArray();

    public Task SendAsync(string text, bool endOfMessage = true) => SendAsync(Encoding.UTF8.GetBytes(text), endOfMessage);

    public Task SendAsync(byte[] payload, bool endOfMessage = true) =>
        _socket.SendAsync(payload, WebSocketMessageType.Text, endOfMessage, CancellationToken.None);

    public Task CloseAsync() => _socket.CloseOutputAsync(WebSocketCloseStatus.NormalClosure, null, CancellationToken.None);

    /// <summary>A frame that the runtime has no call for.</summary>
    public void Raw(params byte[] frame) => _written.Write(frame);

    public void Dispose()
    {
        _socket.Dispose();
        _written.Dispose();
    }
}
