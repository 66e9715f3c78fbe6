using System.IO.Pipelines;
using System.Net.Sockets;

namespace PubSubOverWs.Relay;

/// <summary>Writes to a socket, all since the last flush at once; holds a buffer only until the system has taken all of it.</summary>
/// <param name="socket">Not blocking.</param>
internal sealed class SocketWriter(Socket socket) : PipeWriter
{
    private readonly PooledBuffer _buffer = new();
    private CancellationTokenSource? _waiting;
    private bool _isOver;

    public override bool CanGetUnflushedBytes => true;

    public override long UnflushedBytes => _buffer.Count;

    public override Memory<byte> GetMemory(int sizeHint = 0) => _buffer.GetMemory(sizeHint);

    public override Span<byte> GetSpan(int sizeHint = 0) => _buffer.GetSpan(sizeHint);

    public override void Advance(int bytes) => _buffer.Advance(bytes);

    /// <returns>Completed: the connection is gone, and nothing can be written any more.</returns>
    public override ValueTask<FlushResult> FlushAsync(CancellationToken cancellationToken = default)
    {
        if (!_isOver && _buffer.Count > 0)
        {
            SocketError error;
            int count;
            try
            {
                count = socket.Send(_buffer.Span, SocketFlags.None, out error);
            }
            catch (ObjectDisposedException)
            {
                (count, error) = (0, SocketError.OperationAborted);
            }
            _buffer.Consume(Math.Max(count, 0));
            if (error is SocketError.Success or SocketError.WouldBlock && _buffer.Count > 0)
                return SendRestAsync(cancellationToken);
            _isOver = error != SocketError.Success;
        }
        _buffer.Release();
        return new(new FlushResult(isCanceled: false, _isOver));
    }

    /// <summary>Nothing can be written afterwards: nobody knows how much of it left.</summary>
    public override void CancelPendingFlush() => Volatile.Read(ref _waiting)?.Cancel();

    public override void Complete(Exception? exception = null)
    {
        _isOver = true;
        _buffer.Release();
    }

    private async ValueTask<FlushResult> SendRestAsync(CancellationToken cancellationToken)
    {
        using var waiting = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        Volatile.Write(ref _waiting, waiting);
        var isCanceled = false;
        try
        {
            while (_buffer.Count > 0)
                _buffer.Consume(await socket.SendAsync(_buffer.Memory, SocketFlags.None, waiting.Token));
        }
        catch (OperationCanceledException)
        {
            cancellationToken.ThrowIfCancellationRequested();
            (_isOver, isCanceled) = (true, true);
        }
        catch (Exception gone) when (gone is SocketException or ObjectDisposedException)
        {
            _isOver = true;
        }
        finally
        {
            Volatile.Write(ref _waiting, null);
            _buffer.Release();
        }
        return new FlushResult(isCanceled, _isOver);
    }
}
