using System.Buffers.Binary;

namespace PubSubOverWs.LoadTest.Harness.Clients;

/// <summary>
/// The header of a WebSocket frame (RFC 6455, 5.2). Its first two bytes say everything but a payload length above 125, and the mask.
/// </summary>
/// <param name="First">Flags and the opcode.</param>
/// <param name="Second">Whether a mask follows, and the length or how many bytes have it.</param>
public readonly record struct FrameHeader(byte First, byte Second)
{
    /// <summary>Bytes of a mask, the last ones of the header.</summary>
    public const int MaskBytes = 4;

    /// <summary>The most bytes of a header without a mask.</summary>
    public const int LongestUnmasked = 10;

    /// <summary>The most payload bytes of a control frame (RFC 6455, 5.5).</summary>
    public const int LargestControl = 125;

    private const int StartBytes = 2;
    private const byte FinalBit = 0x80;
    private const byte ReservedBits = 0x70;
    private const byte OpcodeBits = 0x0F;
    private const byte MaskBit = 0x80;
    private const int LengthIn16Bits = 126;
    private const int LengthIn64Bits = 127;

    /// <summary>It is the last frame of its message, or the only one.</summary>
    public bool IsFinal => (First & FinalBit) != 0;

    /// <summary>Bits that only extensions set.</summary>
    public bool HasReservedBits => (First & ReservedBits) != 0;

    /// <summary>One of <see cref="Opcodes"/>.</summary>
    public byte Opcode => (byte)(First & OpcodeBits);

    /// <summary>Its payload is masked, as clients must do and servers must not.</summary>
    public bool IsMasked => (Second & MaskBit) != 0;

    /// <summary>Its length is written in 64 bits, as only that of more than 65,535 bytes may be.</summary>
    public bool IsLong => LengthBits == LengthIn64Bits;

    /// <summary>Bytes of the whole header.</summary>
    public int Bytes =>
        StartBytes + LengthBits switch { LengthIn16Bits => sizeof(ushort), LengthIn64Bits => sizeof(ulong), _ => 0 }
            + (IsMasked ? MaskBytes : 0);

    private int LengthBits => Second & ~MaskBit;

    /// <summary>Of a message in one frame, or of a control frame.</summary>
    public static FrameHeader From(byte opcode, int payloadBytes, bool isMasked)
    {
        var length = payloadBytes < LengthIn16Bits ? payloadBytes : payloadBytes <= ushort.MaxValue ? LengthIn16Bits : LengthIn64Bits;
        return new((byte)(FinalBit | opcode), (byte)(length | (isMasked ? MaskBit : 0)));
    }

    /// <summary>Reads the first two bytes of a frame. False: more are needed.</summary>
    public static bool TryRead(ReadOnlySpan<byte> frame, out FrameHeader header)
    {
        header = frame.Length < StartBytes ? default : new(frame[0], frame[1]);
        return frame.Length >= StartBytes;
    }

    /// <summary>Reads the payload length. False: not all <see cref="Bytes"/> of the header are there.</summary>
    /// <param name="frame">From its first byte.</param>
    /// <exception cref="InvalidDataException">A length of 2^63 or more, which no frame may have.</exception>
    public bool TryReadLength(ReadOnlySpan<byte> frame, out long payloadBytes)
    {
        payloadBytes = 0;
        if (frame.Length < Bytes)
            return false;
        payloadBytes = LengthBits switch
        {
            LengthIn16Bits => BinaryPrimitives.ReadUInt16BigEndian(frame[StartBytes..]),
            LengthIn64Bits => BinaryPrimitives.ReadInt64BigEndian(frame[StartBytes..]),
            var length => length,
        };
        if (payloadBytes < 0)
            throw new InvalidDataException("A WebSocket frame has a length of 2^63 bytes or more.");
        return true;
    }

    /// <summary>Writes it, except for the mask.</summary>
    /// <param name="frame">From its first byte; it has all <see cref="Bytes"/>.</param>
    /// <param name="payloadBytes">Those that the header was made for.</param>
    public void Write(Span<byte> frame, int payloadBytes)
    {
        (frame[0], frame[1]) = this;
        if (IsLong)
            BinaryPrimitives.WriteInt64BigEndian(frame[StartBytes..], payloadBytes);
        else if (LengthBits == LengthIn16Bits)
            BinaryPrimitives.WriteUInt16BigEndian(frame[StartBytes..], (ushort)payloadBytes);
    }
}

/// <summary>The kinds of frames (RFC 6455, 11.8).</summary>
public static class Opcodes
{
    /// <summary>A fragment of a message that has begun.</summary>
    public const byte Continuation = 0x0;

    public const byte Text = 0x1;
    public const byte Binary = 0x2;
    public const byte Close = 0x8;
    public const byte Ping = 0x9;
    public const byte Pong = 0xA;

    /// <summary>A control frame, which may come between the fragments of a message.</summary>
    public static bool IsControl(byte opcode) => opcode >= Close;
}

/// <summary>WebSocket frames as a client sends them: whole messages, masked (RFC 6455, 5.2 and 5.3).</summary>
public static class ClientFrames
{
    /// <summary>The payload of a close frame of an end as planned: status 1000 (RFC 6455, 7.4.1).</summary>
    public static ReadOnlySpan<byte> NormalClosure => [0x03, 0xE8];

    /// <summary>The bytes of a frame with a payload of this size.</summary>
    public static int Length(int payload) => FrameHeader.From(Opcodes.Text, payload, isMasked: true).Bytes + payload;

    /// <summary>A message in one frame.</summary>
    public static byte[] Write(byte opcode, ReadOnlySpan<byte> payload, uint mask)
    {
        var frame = new byte[Length(payload.Length)];
        Write(frame, opcode, payload, mask);
        return frame;
    }

    /// <summary>Returns the number of bytes written, <see cref="Length"/>.</summary>
    /// <param name="mask">Any value: it protects proxies from being tricked, which does not matter here.</param>
    public static int Write(Span<byte> destination, byte opcode, ReadOnlySpan<byte> payload, uint mask)
    {
        var header = FrameHeader.From(opcode, payload.Length, isMasked: true);
        header.Write(destination, payload.Length);
        Span<byte> key = stackalloc byte[FrameHeader.MaskBytes];
        BinaryPrimitives.WriteUInt32LittleEndian(key, mask);
        key.CopyTo(destination[(header.Bytes - FrameHeader.MaskBytes)..]);
        var body = destination[header.Bytes..];
        for (var i = 0; i < payload.Length; i++)
            body[i] = (byte)(payload[i] ^ key[i % FrameHeader.MaskBytes]);
        return header.Bytes + payload.Length;
    }

    /// <summary>Sends a frame. False: the connection is lost.</summary>
    /// <remarks>Waits while the send buffer of the socket is full, as it never is for a frame of a few hundred bytes.</remarks>
    public static bool TrySend(Socket socket, ReadOnlySpan<byte> frame)
    {
        try
        {
            return socket.Send(frame, SocketFlags.None, out var error) == frame.Length && error == SocketError.Success;
        }
        catch (ObjectDisposedException)
        {
            return false;
        }
    }
}
