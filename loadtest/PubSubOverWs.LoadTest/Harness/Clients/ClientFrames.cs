using System.Buffers.Binary;
using System.Net.Sockets;

namespace PubSubOverWs.LoadTest.Harness.Clients;

/// <summary>WebSocket frames as a client sends them: whole messages, masked (RFC 6455, 5.2 and 5.3).</summary>
public static class ClientFrames
{
    /// <summary>The payload of a close frame of an end as planned: status 1000 (RFC 6455, 7.4.1).</summary>
    public static ReadOnlySpan<byte> NormalClosure => [0x03, 0xE8];

    /// <summary>The bytes of a frame with a payload of this size.</summary>
    public static int Length(int payload) => FrameHeader.Of(Opcodes.Text, payload, isMasked: true).Bytes + payload;

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
        var header = FrameHeader.Of(opcode, payload.Length, isMasked: true);
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
