using PubSubOverWs.LoadTest.Harness.Clients;

namespace PubSubOverWs.Tests.LoadTest.Harness.Clients;

public sealed class FrameHeaderTests
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
        var header = FrameHeader.Of(opcode, payloadBytes, isMasked);
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
        var header = FrameHeader.Of(opcode, payloadBytes, isMasked);

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
}
