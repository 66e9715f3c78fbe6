using System.Buffers.Binary;

namespace PubSubOverWs.LoadTest.Clients;

/// <summary>WebSocket frames as a client sends them: whole messages, masked (RFC 6455, 5.2 and 5.3).</summary>
public static class ClientFrames
{
    public const byte Text = 0x1;
    public const byte Close = 0x8;
    public const byte Pong = 0xA;

    private const byte Final = 0x80;
    private const byte Masked = 0x80;
    private const int LengthIn16Bits = 126;
    private const int LengthIn64Bits = 127;
    private const int MaskBytes = 4;

    /// <summary>The bytes of a frame with a payload of this size.</summary>
    public static int Length(int payload) => HeaderLength(payload) + payload;

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
        var header = HeaderLength(payload.Length);
        destination[0] = (byte)(Final | opcode);
        WriteLength(destination[1..], payload.Length);
        Span<byte> key = stackalloc byte[MaskBytes];
        BinaryPrimitives.WriteUInt32LittleEndian(key, mask);
        key.CopyTo(destination[(header - MaskBytes)..]);
        var body = destination[header..];
        for (var i = 0; i < payload.Length; i++)
            body[i] = (byte)(payload[i] ^ key[i % MaskBytes]);
        return header + payload.Length;
    }

    private static void WriteLength(Span<byte> destination, int length)
    {
        destination[0] = (byte)(Masked | (length < LengthIn16Bits ? length : length <= ushort.MaxValue ? LengthIn16Bits : LengthIn64Bits));
        if (length > ushort.MaxValue)
            BinaryPrimitives.WriteUInt64BigEndian(destination[1..], (ulong)length);
        else if (length >= LengthIn16Bits)
            BinaryPrimitives.WriteUInt16BigEndian(destination[1..], (ushort)length);
    }

    private static int HeaderLength(int payload) => 2 + MaskBytes + (payload < LengthIn16Bits ? 0 : payload <= ushort.MaxValue ? 2 : 8);
}
