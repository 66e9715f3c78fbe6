using PubSubOverWs.LoadTest.Harness.Clients;

namespace PubSubOverWs.LoadTest.Experiments.Interference.Load.Server;

/// <summary>WebSocket frames as a server sends and reads them (RFC 6455, section 5): whole messages, and masks on what it reads.</summary>
public static class ServerFrames
{
    /// <summary>A message in one frame.</summary>
    public static byte[] Write(byte opcode, ReadOnlySpan<byte> payload)
    {
        var header = FrameHeader.Of(opcode, payload.Length, isMasked: false);
        var frame = new byte[header.Bytes + payload.Length];
        header.Write(frame, payload.Length);
        payload.CopyTo(frame.AsSpan(header.Bytes));
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
        if (!FrameHeader.TryRead(received, out var header))
            return false;
        opcode = header.Opcode;
        if (!header.IsFinal || !header.IsMasked || opcode == Opcodes.Continuation || header.IsLong)
            throw new InvalidDataException("a message is in fragments, not masked, or longer than 65,535 bytes");
        if (!header.TryReadLength(received, out var length) || received.Length < header.Bytes + length)
            return false;
        payload = received.Slice(header.Bytes, (int)length);
        var mask = received[(header.Bytes - FrameHeader.MaskBytes)..];
        for (var i = 0; i < payload.Length; i++)
            payload[i] ^= mask[i % FrameHeader.MaskBytes];
        consumed = header.Bytes + payload.Length;
        return true;
    }
}
