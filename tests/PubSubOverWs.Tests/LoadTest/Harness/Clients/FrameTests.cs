using System.Net.WebSockets;
using PubSubOverWs.LoadTest.Harness.Clients;

namespace PubSubOverWs.Tests.LoadTest.Harness.Clients;

/// <summary>Frames of a WebSocket, against the examples of RFC 6455 and the WebSocket of the runtime.</summary>
public sealed class FrameTests
{
    // RFC 6455, section 5.7; the last three are the ends of the lengths in 7 and in 16 bits.
    public static TheoryData<byte[], byte, int, bool> Examples => new()
    {
        { [0x81, 0x05], Opcodes.Text, 5, false },
        { [0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d], Opcodes.Text, 5, true },
        { [0x89, 0x05], Opcodes.Ping, 5, false },
        { [0x8a, 0x85, 0x37, 0xfa, 0x21, 0x3d], Opcodes.Pong, 5, true },
        { [0x82, 0x7E, 0x01, 0x00], Opcodes.Binary, 256, false },
        { [0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0], Opcodes.Binary, 65_536, false },
        { [0x82, 0x7D], Opcodes.Binary, 125, false },
        { [0x82, 0x7E, 0x00, 0x7E], Opcodes.Binary, 126, false },
        { [0x82, 0x7E, 0xFF, 0xFF], Opcodes.Binary, 65_535, false },
    };

    [Theory]
    [MemberData(nameof(Examples))]
    public void A_header_is_read_as_the_rfc_has_it(byte[] bytes, byte opcode, int payloadBytes, bool isMasked)
    {
        Assert.True(FrameHeader.TryRead(bytes, out var header));
        Assert.True(header.TryReadLength(bytes, out var length));

        Assert.Equal((opcode, (long)payloadBytes, isMasked, bytes.Length), (header.Opcode, length, header.IsMasked, header.Bytes));
        Assert.True(header is { IsFinal: true, HasReservedBits: false });
        Assert.Equal(payloadBytes > 65_535, header.IsLong);
    }

    [Theory]
    [MemberData(nameof(Examples))]
    public void A_header_is_written_as_the_rfc_has_it(byte[] bytes, byte opcode, int payloadBytes, bool isMasked)
    {
        var header = FrameHeader.From(opcode, payloadBytes, isMasked);
        var written = new byte[header.Bytes];
        header.Write(written, payloadBytes);

        var mask = isMasked ? FrameHeader.MaskBytes : 0;
        Assert.Equal(bytes[..^mask], written[..^mask]);
        Assert.Equal(bytes.Length, written.Length);
    }

    [Theory]
    [MemberData(nameof(Examples))]
    public void A_length_is_not_read_before_the_last_byte_of_the_header(byte[] bytes, byte opcode, int payloadBytes, bool isMasked)
    {
        var header = FrameHeader.From(opcode, payloadBytes, isMasked);

        Assert.False(FrameHeader.TryRead(bytes.AsSpan(0, 1), out _));
        Assert.False(header.TryReadLength(bytes.AsSpan(0, bytes.Length - 1), out _));
    }

    [Fact]
    public void A_length_that_no_frame_may_have_is_refused()
    {
        byte[] bytes = [0x82, 0x7F, 0x80, 0, 0, 0, 0, 0, 0, 0];

        Assert.True(FrameHeader.TryRead(bytes, out var header));
        Assert.Throws<InvalidDataException>(() => header.TryReadLength(bytes, out _));
    }

    [Theory]
    [InlineData(0x01, false, false)]
    [InlineData(0x80, true, false)]
    [InlineData(0xC1, true, true)]
    [InlineData(0x91, true, true)]
    public void Fragments_and_extensions_are_known_by_the_first_byte(byte first, bool isFinal, bool hasReservedBits)
    {
        var header = new FrameHeader(first, 0);

        Assert.Equal((isFinal, hasReservedBits), (header.IsFinal, header.HasReservedBits));
    }

    [Fact]
    public void A_frame_is_masked_as_in_the_example_of_the_RFC()
    {
        // RFC 6455, section 5.7: a single-frame masked text message that says Hello.
        byte[] expected = [0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58];

        Assert.Equal(expected, ClientFrames.Write(Opcodes.Text, "Hello"u8, mask: 0x3d21fa37));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(125)]
    [InlineData(126)]
    [InlineData(65_535)]
    [InlineData(65_536)]
    public async Task The_server_WebSocket_of_the_runtime_reads_our_frames(int size)
    {
        var payload = Enumerable.Range(0, size).Select(i => (byte)('a' + i % 26)).ToArray();
        using var stream = new MemoryStream(ClientFrames.Write(Opcodes.Text, payload, mask: 0xC0FFEE01));
        using var server = WebSocket.CreateFromStream(stream, new WebSocketCreationOptions { IsServer = true });
        var received = new byte[size + 1];

        var read = 0;
        WebSocketReceiveResult result;
        do
        {
            result = await server.ReceiveAsync(new ArraySegment<byte>(received, read, received.Length - read), CancellationToken.None);
            read += result.Count;
        }
        while (!result.EndOfMessage);

        Assert.Equal(WebSocketMessageType.Text, result.MessageType);
        Assert.Equal(payload, received[..read]);
    }
}
