using System.Buffers.Binary;

namespace PubSubOverWs.LoadTest.Targets.StreamServer;

/// <summary>WebSocket frames as a server sends and reads them (RFC 6455, section 5): whole messages, and masks on what it reads.</summary>
public static class ServerFrames
{
    public const byte Text = 0x1;
    public const byte Close = 0x8;
    public const byte Ping = 0x9;
    public const byte Pong = 0xA;

    private const byte Final = 0x80;
    private const byte Masked = 0x80;
    private const int LengthIn16Bits = 126;
    private const int LengthIn64Bits = 127;
    private const int MaskBytes = 4;

    /// <summary>A message in one frame.</summary>
    public static byte[] Write(byte opcode, ReadOnlySpan<byte> payload)
    {
        var header = payload.Length < LengthIn16Bits ? 2 : payload.Length <= ushort.MaxValue ? 4 : 10;
        var frame = new byte[header + payload.Length];
        frame[0] = (byte)(Final | opcode);
        frame[1] = (byte)(header == 2 ? payload.Length : header == 4 ? LengthIn16Bits : LengthIn64Bits);
        if (header == 4)
            BinaryPrimitives.WriteUInt16BigEndian(frame.AsSpan(2), (ushort)payload.Length);
        else if (header == 10)
            BinaryPrimitives.WriteUInt64BigEndian(frame.AsSpan(2), (ulong)payload.Length);
        payload.CopyTo(frame.AsSpan(header));
        return frame;
    }

    /// <summary>Reads a message of a client from the front of the received bytes, and unmasks it in its place.</summary>
    /// <param name="payload">Part of <paramref name="received"/>.</param>
    /// <param name="consumed">The bytes of the frame.</param>
    /// <returns>False: more bytes are needed.</returns>
    /// <exception cref="InvalidDataException">It is a fragment, is not masked, or is longer than 65,535 bytes.</exception>
    public static bool TryRead(Span<byte> received, out byte opcode, out Span<byte> payload, out int consumed)
    {
        opcode = 0;
        payload = default;
        consumed = 0;
        if (received.Length < 2)
            return false;
        opcode = (byte)(received[0] & 0xF);
        var length = received[1] & ~Masked;
        if ((received[0] & Final) == 0 || (received[1] & Masked) == 0 || opcode == 0 || length == LengthIn64Bits)
            throw new InvalidDataException("a message is in fragments, not masked, or longer than 65,535 bytes");
        var header = 2 + MaskBytes;
        if (length == LengthIn16Bits)
        {
            header += 2;
            if (received.Length < header)
                return false;
            length = BinaryPrimitives.ReadUInt16BigEndian(received[2..]);
        }

        if (received.Length < header + length)
            return false;
        payload = received.Slice(header, length);
        for (var i = 0; i < length; i++)
            payload[i] ^= received[header - MaskBytes + (i % MaskBytes)];
        consumed = header + length;
        return true;
    }
}
