using System.Collections.Concurrent;
using PubSubOverWs.LoadTest.Harness.Clients;

namespace PubSubOverWs.LoadTest.Experiments.Interference.Load;

/// <summary>
/// Writes the frames of one connection from two queues, replies first: a reply waits for no more than the frame that is being written. It
/// writes to the socket itself, with no buffer in between.
/// </summary>
/// <param name="socket">Nothing else writes to it.</param>
public sealed class FrameWriter(Socket socket)
{
    // A client that asks for more while a frame of the stream waits for it to read is disconnected.
    private const int MaxReplies = 10_000;

    private readonly ConcurrentQueue<byte[]> _replies = new();
    private readonly Lock _writing = new();
    private volatile bool _ended;

    /// <summary>True: the connection is gone, and nothing more is written.</summary>
    public bool HasEnded => _ended;

    /// <summary>Writes a reply now, or leaves it to the thread that is writing a frame, which does it before its next one.</summary>
    public void Reply(byte[] frame)
    {
        _replies.Enqueue(frame);
        WriteReplies();
        if (_replies.Count > MaxReplies)
            End();
    }

    /// <summary>Writes waiting replies and then a frame; waits while the socket is full.</summary>
    /// <returns>False: the connection is gone.</returns>
    public bool Write(ReadOnlySpan<byte> frame)
    {
        lock (_writing)
        {
            if (!TryWriteReplies() || !TryWrite(frame))
                return false;
        }
        WriteReplies();
        return true;
    }

    /// <summary>Nothing more is written; a thread that waits for the socket no longer does.</summary>
    public void End()
    {
        _ended = true;
        socket.Dispose();
    }

    private void WriteReplies()
    {
        // The thread that holds the lock looks for replies before it goes; one that comes after that is seen here.
        while (!_replies.IsEmpty && !_ended && _writing.TryEnter())
        {
            try
            {
                TryWriteReplies();
            }
            finally
            {
                _writing.Exit();
            }
        }
    }

    private bool TryWriteReplies()
    {
        while (!_ended && _replies.TryDequeue(out var reply))
            TryWrite(reply);
        return !_ended;
    }

    private bool TryWrite(ReadOnlySpan<byte> frame)
    {
        try
        {
            while (frame.Length > 0 && !_ended)
                frame = frame[socket.Send(frame)..];
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            _ended = true;
        }
        return !_ended;
    }
}

/// <summary>WebSocket frames as a server sends and reads them (RFC 6455, section 5): whole messages, and masks on what it reads.</summary>
public static class ServerFrames
{
    /// <summary>A message in one frame.</summary>
    public static byte[] Write(byte opcode, ReadOnlySpan<byte> payload)
    {
        var header = FrameHeader.From(opcode, payload.Length, isMasked: false);
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
