using System.Net.WebSockets;
using PubSubOverWs.LoadTest.Experiments.Interference.Load;
using PubSubOverWs.LoadTest.Harness.Clients;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Interference.Load;

public sealed class ServerFramesTests
{
    // RFC 6455, section 5.7.
    [Fact]
    public void A_text_message_is_written_as_the_rfc_has_it() =>
        Assert.Equal([0x81, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f], ServerFrames.Write(Opcodes.Text, "Hello"u8));

    [Fact]
    public void A_masked_text_message_is_read_as_the_rfc_has_it()
    {
        byte[] received = [0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58, 0xFF];

        Assert.True(ServerFrames.TryRead(received, out var opcode, out var payload, out var consumed));
        Assert.Equal((Opcodes.Text, 11), (opcode, consumed));
        Assert.Equal("Hello"u8, payload);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(125)]
    [InlineData(126)]
    [InlineData(65_535)]
    [InlineData(65_536)]
    [InlineData(1 << 20)]
    public async Task The_frameworks_client_reads_a_message_of_any_size(int bytes)
    {
        var payload = Enumerable.Range(0, bytes).Select(i => (byte)('a' + (i % 26))).ToArray();
        using var stream = new MemoryStream(ServerFrames.Write(Opcodes.Text, payload));
        using var socket = WebSocket.CreateFromStream(stream, isServer: false, subProtocol: null, TimeSpan.Zero);
        var read = new byte[bytes + 1];
        var filled = 0;
        ValueWebSocketReceiveResult result;
        do
        {
            result = await socket.ReceiveAsync(read.AsMemory(filled), CancellationToken.None);
            filled += result.Count;
        }
        while (!result.EndOfMessage);

        Assert.Equal(WebSocketMessageType.Text, result.MessageType);
        Assert.Equal(payload, read[..filled]);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(126)]
    [InlineData(65_535)]
    public void A_message_is_not_read_before_its_last_byte(int bytes)
    {
        var frame = ClientFrames.Write(Opcodes.Text, new byte[bytes], mask: 0x12345678);
        Assert.All(Enumerable.Range(0, Math.Min(frame.Length, 20)), length => Assert.False(TryRead(frame[..length])));
        Assert.False(TryRead(frame[..^1]));
        Assert.True(TryRead(frame));
    }

    [Theory]
    [InlineData(0x01, 0x80)] // A first fragment.
    [InlineData(0x80, 0x80)] // A last one.
    [InlineData(0x81, 0x00)] // Not masked.
    [InlineData(0x81, 0xFF)] // Longer than 65,535 bytes.
    public void A_frame_that_this_server_does_not_read_is_refused(byte first, byte second) =>
        Assert.Throws<InvalidDataException>(() => TryRead([first, second]));

    private static bool TryRead(byte[] received) => ServerFrames.TryRead(received, out _, out _, out _);
}
