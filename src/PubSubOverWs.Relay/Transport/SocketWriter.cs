using System.IO.Pipelines;
using System.Net.Sockets;

namespace PubSubOverWs.Relay;

/// <summary>Writes to a socket, all since the last flush at once; holds a buffer only until the system has taken all of it.</summary>
/// <param name="socket">Not blocking.</param>
internal sealed class SocketWriter(Socket socket) : PipeWriter
{
    private readonly PooledBuffer _buffer = new();
    private CancellationTokenSource? _waiting;
    private bool _isCancelNoted;
    private bool _isOver;

    public override bool CanGetUnflushedBytes => true;

    public override long UnflushedBytes => _buffer.Count;

    public override Memory<byte> GetMemory(int sizeHint = 0) => _buffer.GetMemory(sizeHint);

    public override Span<byte> GetSpan(int sizeHint = 0) => _buffer.GetSpan(sizeHint);

    public override void Advance(int bytes) => _buffer.Advance(bytes);

    /// <returns>Completed: the connection is gone, and nothing can be written any more.</returns>
    public override ValueTask<FlushResult> FlushAsync(CancellationToken cancellationToken = default)
    {
        if (_buffer.Count > 0)
        {
            if (!Volatile.Read(ref _isOver) && !TrySend())
                return SendRestAsync(cancellationToken);
            // Also when nothing can be written any more: some go on writing.
            _buffer.Release();
        }
        return new(new FlushResult(IsCancelNoted(), Volatile.Read(ref _isOver)));
    }

    /// <summary>
    /// Nothing can be written after a flush that waited and was cancelled: nobody knows how much of it left. A flush that does not wait
    /// has left all the same.
    /// </summary>
    public override void CancelPendingFlush()
    {
        CancellationTokenSource? waiting;
        lock (this)
        {
            waiting = _waiting;
            _isCancelNoted = waiting is null;
        }
        waiting?.Cancel();
    }

    // No buffer goes back to the pool here: a flush may be under way in it.
    public override void Complete(Exception? exception = null) => Volatile.Write(ref _isOver, true);

    // False: the system did not take all.
    private bool TrySend()
    {
        try
        {
            var count = socket.Send(_buffer.Span, SocketFlags.None, out var error);
            if (error is not SocketError.Success and not SocketError.WouldBlock)
            {
                Volatile.Write(ref _isOver, true);
                return true;
            }
            _buffer.Consume(Math.Max(count, 0));
            return _buffer.Count == 0;
        }
        catch (ObjectDisposedException)
        {
            Volatile.Write(ref _isOver, true);
            return true;
        }
    }

    private bool IsCancelNoted()
    {
        if (!Volatile.Read(ref _isCancelNoted))
            return false;
        lock (this)
            _isCancelNoted = false;
        return true;
    }

    private async ValueTask<FlushResult> SendRestAsync(CancellationToken cancellationToken)
    {
        // Not disposed: it has no timer, and somebody may be about to cancel it.
        var waiting = new CancellationTokenSource();
        BeginToWait(waiting);
        try
        {
            await using (cancellationToken.UnsafeRegister(source => ((CancellationTokenSource)source!).Cancel(), waiting))
            {
                while (_buffer.Count > 0)
                    _buffer.Consume(await socket.SendAsync(_buffer.Memory, SocketFlags.None, waiting.Token));
            }
            return new FlushResult(isCanceled: false, Volatile.Read(ref _isOver));
        }
        catch (OperationCanceledException)
        {
            Volatile.Write(ref _isOver, true);
            cancellationToken.ThrowIfCancellationRequested();
            return new FlushResult(isCanceled: true, isCompleted: true);
        }
        catch (Exception gone) when (gone is SocketException or ObjectDisposedException)
        {
            Volatile.Write(ref _isOver, true);
            return new FlushResult(isCanceled: false, isCompleted: true);
        }
        finally
        {
            EndWait();
            _buffer.Release();
        }
    }

    private void BeginToWait(CancellationTokenSource waiting)
    {
        lock (this)
        {
            _waiting = waiting;
            if (_isCancelNoted)
                waiting.Cancel();
            _isCancelNoted = false;
        }
    }

    private void EndWait()
    {
        lock (this)
            _waiting = null;
    }
}
