using System.Buffers;
using System.Diagnostics.CodeAnalysis;
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
    private const int MinRoom = 1024;

    private readonly PooledBuffer _buffer = new();
    private Arrival? _arrival;
    private ManualResetValueTaskSourceCore<ReadResult> _read;
    private ReadOnlySequence<byte> _given;
    private int _examined;

    // With its own lock.
    private State _state;
    private bool _isCancelNoted;
    private bool _isOver;

    // Why there is nothing to read any more: the system says so once.
    private Exception? _gone;

    public override bool TryRead(out ReadResult result)
    {
        lock (this)
            return IsThere(out result);
    }

    /// <exception cref="ConnectionResetException">The client is gone.</exception>
    /// <exception cref="ConnectionAbortedException">The connection was cut here.</exception>
    public override ValueTask<ReadResult> ReadAsync(CancellationToken cancellationToken = default)
    {
        var read = BeginRead();
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

    /// <summary>A receive that waits goes on, for the next read.</summary>
    public override void CancelPendingRead()
    {
        lock (this)
        {
            if (!IsTakenFromRead())
            {
                _isCancelNoted = true;
                return;
            }
        }
        _read.SetResult(new ReadResult(default, isCanceled: true, isCompleted: false));
    }

    // No buffer goes back to the pool here: it may be in use still.
    public override void Complete(Exception? exception = null)
    {
        bool isTaken;
        lock (this)
        {
            _isOver = true;
            isTaken = IsTakenFromRead();
        }
        if (isTaken)
            _read.SetResult(new ReadResult(default, isCanceled: false, isCompleted: true));
        _arrival?.Dispose();
    }

    ReadResult IValueTaskSource<ReadResult>.GetResult(short token) => _read.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource<ReadResult>.GetStatus(short token) => _read.GetStatus(token);

    void IValueTaskSource<ReadResult>.OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _read.OnCompleted(continuation, state, token, flags);

    private async ValueTask<ReadResult> ReadAsync(ValueTask<ReadResult> read, CancellationToken cancellationToken)
    {
        ReadResult result;
        await using (cancellationToken.UnsafeRegister(reader => ((SocketReader)reader!).CancelPendingRead(), this))
            result = await read;
        // What came too late for this read is not for the next.
        if (cancellationToken.IsCancellationRequested)
            ForgetCancel();
        if (result.IsCanceled)
            cancellationToken.ThrowIfCancellationRequested();
        return result;
    }

    private ValueTask<ReadResult> BeginRead()
    {
        lock (this)
        {
            if (_gone is not null)
                return ValueTask.FromException<ReadResult>(_gone);
            if (IsThere(out var result))
                return new(result);
            _read.Reset();
            _given = default;
            var waits = _state == State.Armed;
            _state = State.Awaited;
            if (waits)
                return new(this, _read.Version);
        }
        _arrival ??= new Arrival(this);
        try
        {
            do
            {
                // What has come already is read here, unless the read is over meanwhile.
                if (BeginsToWait() || !IsTurnToFill())
                    return new(this, _read.Version);
            }
            while (!TryFill(_arrival.SocketError) && MayWait());
        }
        catch (Exception gone) when (gone is ConnectionResetException or ConnectionAbortedException)
        {
            return ValueTask.FromException<ReadResult>(gone);
        }
        return new(Filled());
    }

    private void OnArrived()
    {
        if (!IsTurnToFill())
            return;
        try
        {
            while (!TryFill(_arrival!.SocketError) && MayWait())
            {
                if (BeginsToWait() || !IsTurnToFill())
                    return;
            }
        }
        catch (Exception gone) when (gone is ConnectionResetException or ConnectionAbortedException)
        {
            _read.SetException(gone);
            return;
        }
        _read.SetResult(Filled());
    }

    // Within the lock.
    private bool IsThere(out ReadResult result)
    {
        var isThere = _isCancelNoted || _isOver || _buffer.Count > _examined;
        result = isThere ? Give() : default;
        return isThere;
    }

    // Within the lock. True: a read waited, and must be told that it is over.
    private bool IsTakenFromRead()
    {
        var isTaken = _state == State.Awaited;
        if (isTaken)
            _state = State.Armed;
        return isTaken;
    }

    private void ForgetCancel()
    {
        lock (this)
            _isCancelNoted = false;
    }

    // A receive is over. False: nobody waits for it.
    private bool IsTurnToFill()
    {
        lock (this)
        {
            var isAwaited = _state == State.Awaited;
            _state = isAwaited ? State.Filling : State.Idle;
            if (!isAwaited && _arrival!.SocketError is not SocketError.Success and var error)
                _gone = Gone(error);
            return isAwaited;
        }
    }

    // Nothing was there after all. False: the read was cancelled meanwhile, and is not to wait again.
    private bool MayWait()
    {
        lock (this)
        {
            if (_isCancelNoted || _isOver)
                return false;
            _state = State.Awaited;
            return true;
        }
    }

    private ReadResult Filled()
    {
        lock (this)
        {
            _state = State.Idle;
            return Give();
        }
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

    // False: nothing was there after all.
    private bool TryFill(SocketError arrival)
    {
        var error = arrival;
        try
        {
            if (error == SocketError.Success)
            {
                var count = socket.Receive(_buffer.GetSpan(MinRoom), SocketFlags.None, out error);
                if (error == SocketError.WouldBlock)
                    return false;
                if (error == SocketError.Success)
                {
                    OnFilled(count);
                    return true;
                }
            }
        }
        catch (ObjectDisposedException)
        {
            error = SocketError.OperationAborted;
        }
        OnGone(error);
        throw _gone;
    }

    private void OnFilled(int count)
    {
        _buffer.Advance(count);
        if (count > 0)
            return;
        lock (this)
            _isOver = true;
    }

    // This read fails, and those after it.
    [MemberNotNull(nameof(_gone))]
    private void OnGone(SocketError error)
    {
        lock (this)
        {
            _state = State.Idle;
            _gone = Gone(error);
        }
    }

    // A socket that is closed during a receive says ConnectionAborted.
    private static Exception Gone(SocketError error) =>
        error is SocketError.OperationAborted or SocketError.Interrupted or SocketError.ConnectionAborted
            ? new ConnectionAbortedException()
            : new ConnectionResetException($"The client is gone: {error}.");

    private ReadResult Give()
    {
        if (_buffer.Count == 0)
            _buffer.Release();
        _given = new ReadOnlySequence<byte>(_buffer.Memory);
        var result = new ReadResult(_given, _isCancelNoted, _isOver);
        _isCancelNoted = false;
        return result;
    }

    private enum State
    {
        /// <summary>No receive waits.</summary>
        Idle,

        /// <summary>One waits, but nobody for it, since a read was cancelled.</summary>
        Armed,

        /// <summary>One waits, and a read for it.</summary>
        Awaited,

        /// <summary>One is over, and what came is being read.</summary>
        Filling,
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
