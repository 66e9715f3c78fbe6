using System.Collections.Concurrent;
using System.Net.Sockets;

namespace PubSubOverWs.LoadTest.Targets.StreamServer;

/// <summary>
/// Writes the frames of one connection from two queues, replies first: a reply waits for no more than the frame that is being written. It
/// writes to the socket itself, with no buffer in between.
/// </summary>
/// <param name="socket">Nothing else writes to it.</param>
public sealed class FrameWriter(Socket socket)
{
    // A client that does not read this many replies is disconnected.
    private const int MostReplies = 10_000;

    private readonly ConcurrentQueue<byte[]> _replies = new();
    private readonly Lock _writing = new();
    private volatile bool _ended;
    private int _isAsked;

    /// <summary>True: the connection is gone, and nothing more is written.</summary>
    public bool HasEnded => _ended;

    /// <summary>
    /// Writes a reply now, or behind the frame that another thread is writing. Never waits: the thread may be the only one that learns when
    /// a socket can be written again. A reply that finds the socket full is written by another thread.
    /// </summary>
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
            if (!TryWriteReplies(mayWait: true) || !TryWrite(frame))
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
                if (TryWriteReplies(mayWait: false) || _ended)
                    continue;
            }
            finally
            {
                _writing.Exit();
            }

            // The socket is full. The next frame of the stream may be far away, so another thread waits for room.
            if (Interlocked.Exchange(ref _isAsked, 1) == 0)
                ThreadPool.UnsafeQueueUserWorkItem(static writer => writer.AwaitRoom(), this, preferLocal: false);
            return;
        }
    }

    private void AwaitRoom()
    {
        Volatile.Write(ref _isAsked, 0);
        lock (_writing)
            TryWriteReplies(mayWait: true);
        WriteReplies();
    }

    private bool TryWriteReplies(bool mayWait)
    {
        while (!_ended && _replies.TryPeek(out var reply))
        {
            if (!mayWait && !CanWrite())
                return false;
            if (!TryWrite(reply))
                return false;
            _replies.TryDequeue(out _);
        }
        return !_ended;
    }

    // A small frame then fits: the system calls a socket writable only when a third of its buffer is free.
    private bool CanWrite()
    {
        try
        {
            return socket.Poll(0, SelectMode.SelectWrite);
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            _ended = true;
            return false;
        }
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
