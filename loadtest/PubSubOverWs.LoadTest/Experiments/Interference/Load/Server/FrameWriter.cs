using System.Collections.Concurrent;

namespace PubSubOverWs.LoadTest.Experiments.Interference.Load.Server;

/// <summary>
/// Writes the frames of one connection from two queues, replies first: a reply waits for no more than the frame that is being written. It
/// writes to the socket itself, with no buffer in between.
/// </summary>
/// <param name="socket">Nothing else writes to it.</param>
public sealed class FrameWriter(Socket socket)
{
    // A client that asks for more while a frame of the stream waits for it to read is disconnected.
    private const int MostReplies = 10_000;

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
        if (_replies.Count > MostReplies)
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
