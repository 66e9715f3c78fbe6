using System.Buffers;
using System.IO.Pipelines;
using System.Net.Sockets;
using System.Threading.Tasks.Sources;
using Microsoft.AspNetCore.Connections;

namespace PubSubOverWs.Relay;

/// <summary>
/// Reads a socket when it is asked to, and not before: into one buffer, which it holds only while there is something in it.
/// </summary>
/// <param name="socket">Not blocking.</param>
internal sealed class SocketReader(Socket socket) : PipeReader, IValueTaskSource<ReadResult>
{
    private const int LeastRoom = 1024;

    // No receive waits; one waits, but nobody for it, since a read was cancelled; one waits, and a read for it.
    private const int Idle = 0, Armed = 1, Awaited = 2;

    private readonly PooledBuffer _buffer = new();
    private Arrival? _arrival;
    private ManualResetValueTaskSourceCore<ReadResult> _read;
    private ReadOnlySequence<byte> _given;
    private int _state;
    private int _cancels;
    private int _examined;
    private bool _isOver;

    public override bool TryRead(out ReadResult result)
    {
        var isCanceled = Interlocked.Exchange(ref _cancels, 0) != 0;
        var isThere = isCanceled || _isOver || _buffer.Count > _examined;
        result = isThere ? Give(isCanceled) : default;
        return isThere;
    }

    /// <exception cref="ConnectionResetException">The client is gone.</exception>
    /// <exception cref="ConnectionAbortedException">The connection was cut here.</exception>
    public override ValueTask<ReadResult> ReadAsync(CancellationToken cancellationToken = default)
    {
        if (TryRead(out var result))
            return new(result);
        var read = WaitAsync();
        return cancellationToken.CanBeCanceled && !read.IsCompleted ? ReadAsync(read, cancellationToken) : read;
    }

    public override void AdvanceTo(SequencePosition consumed) => AdvanceTo(consumed, consumed);

    public override void AdvanceTo(SequencePosition consumed, SequencePosition examined)
    {
        if (_given.IsEmpty)
            return;
        var start = _given.Start.GetInteger();
        var count = consumed.GetInteger() - start;
        _examined = examined.GetInteger() - start - count;
        _given = default;
        _buffer.Consume(count);
        if (_buffer.Count == 0)
            _buffer.Release();
    }

    public override void CancelPendingRead()
    {
        if (Interlocked.CompareExchange(ref _state, Armed, Awaited) == Awaited)
            _read.SetResult(new ReadResult(default, isCanceled: true, isCompleted: false));
        else
            Volatile.Write(ref _cancels, 1);
    }

    /// <summary>Called when nobody reads any more.</summary>
    public override void Complete(Exception? exception = null)
    {
        _isOver = true;
        _given = default;
        _examined = 0;
        _buffer.Release();
    }

    ReadResult IValueTaskSource<ReadResult>.GetResult(short token) => _read.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource<ReadResult>.GetStatus(short token) => _read.GetStatus(token);

    void IValueTaskSource<ReadResult>.OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _read.OnCompleted(continuation, state, token, flags);

    private async ValueTask<ReadResult> ReadAsync(ValueTask<ReadResult> read, CancellationToken cancellationToken)
    {
        await using var registration = cancellationToken.UnsafeRegister(reader => ((SocketReader)reader!).CancelPendingRead(), this);
        var result = await read;
        if (result.IsCanceled)
            cancellationToken.ThrowIfCancellationRequested();
        return result;
    }

    private ValueTask<ReadResult> WaitAsync()
    {
        _read.Reset();
        if (Interlocked.CompareExchange(ref _state, Awaited, Armed) == Armed)
            return Waiting();
        _arrival ??= new Arrival(this);
        try
        {
            do
            {
                Volatile.Write(ref _state, Awaited);
                if (BeginsToWait())
                    return Waiting();
                // What has come already is read here, unless somebody cancelled meanwhile.
                if (Interlocked.Exchange(ref _state, Idle) == Armed)
                    return Waiting();
            }
            while (!TryFill(_arrival.SocketError));
            return new(Give(isCanceled: false));
        }
        catch (Exception gone) when (gone is ConnectionResetException or ConnectionAbortedException)
        {
            return ValueTask.FromException<ReadResult>(gone);
        }
    }

    private ValueTask<ReadResult> Waiting()
    {
        // Cancelled when it did not wait yet: noted first, and seen here, or it finds the state and needs no note.
        if (Volatile.Read(ref _cancels) != 0 && Interlocked.Exchange(ref _cancels, 0) != 0)
            CancelPendingRead();
        return new(this, _read.Version);
    }

    // An empty receive: it completes when something is there, and needs no buffer.
    private bool BeginsToWait()
    {
        try
        {
            return socket.ReceiveAsync(_arrival!);
        }
        catch (ObjectDisposedException)
        {
            return false;
        }
    }

    private void OnArrived()
    {
        if (Interlocked.Exchange(ref _state, Idle) != Awaited)
            return;
        try
        {
            while (!TryFill(_arrival!.SocketError))
            {
                Volatile.Write(ref _state, Awaited);
                if (BeginsToWait() || Interlocked.Exchange(ref _state, Idle) == Armed)
                    return;
            }
        }
        catch (Exception gone) when (gone is ConnectionResetException or ConnectionAbortedException)
        {
            _read.SetException(gone);
            return;
        }
        _read.SetResult(Give(isCanceled: false));
    }

    // False: nothing was there after all.
    private bool TryFill(SocketError arrival)
    {
        // The system tells of a reset once.
        if (arrival != SocketError.Success)
            throw Gone(arrival);
        try
        {
            var count = socket.Receive(_buffer.GetSpan(LeastRoom), SocketFlags.None, out var error);
            if (error is not SocketError.Success and not SocketError.WouldBlock)
                throw Gone(error);
            if (error == SocketError.WouldBlock)
                return false;
            _buffer.Advance(count);
            _isOver = count == 0;
            return true;
        }
        catch (ObjectDisposedException)
        {
            throw Gone(SocketError.OperationAborted);
        }
    }

    private static Exception Gone(SocketError error) => error is SocketError.OperationAborted or SocketError.Interrupted
        ? new ConnectionAbortedException()
        : new ConnectionResetException($"The client is gone: {error}.");

    private ReadResult Give(bool isCanceled)
    {
        if (_buffer.Count == 0)
            _buffer.Release();
        _given = new ReadOnlySequence<byte>(_buffer.Memory);
        return new ReadResult(_given, isCanceled, _isOver);
    }

    private sealed class Arrival : SocketAsyncEventArgs
    {
        private readonly SocketReader _reader;

        public Arrival(SocketReader reader)
            : base(true)
        {
            _reader = reader;
            SetBuffer(Memory<byte>.Empty);
        }

        protected override void OnCompleted(SocketAsyncEventArgs e) => _reader.OnArrived();
    }
}
