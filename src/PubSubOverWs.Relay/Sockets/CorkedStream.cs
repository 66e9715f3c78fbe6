using System.Buffers;

namespace PubSubOverWs.Relay;

/// <summary>
/// The upgraded connection below the WebSocket. It lets one writer send many WebSocket frames in one write (<see cref="Corked"/>), serves
/// the WebSocket's small reads from one larger read, and counts every byte that leaves. It holds no buffer while the connection is idle.
/// </summary>
/// <remarks>
/// The WebSocket above serializes its writes, so all writes here come one after another; the single writer sets <see cref="Corked"/>
/// between them. A pong that slips in while it is corked leaves with the last frame of the batch. A close frame does so when the client
/// broke a rule of the framing: it leaves at once and is the end of all data, so the batch fails as a whole.
/// </remarks>
internal sealed class CorkedStream(Stream inner) : Stream, IWire
{
    private const int ReadSize = 4096;
    private const string AsyncOnly = "Only asynchronous calls are supported.";

    private byte[]? _read;
    private int _readStart;
    private int _readEnd;
    private byte[]? _written;
    private int _writtenCount;
    private int _untaken;
    private bool _isCloseSent;
    private long _bytesOut;

    public bool Corked { get; set; }

    public bool HasBuffered => _readEnd > _readStart;

    public Func<int, ValueTask>? OnControlTraffic { get; set; }

    public int TakeRead()
    {
        (var read, _untaken) = (_untaken, 0);
        return read;
    }

    public long BytesOut => Volatile.Read(ref _bytesOut);

    public override bool CanRead => true;
    public override bool CanWrite => true;
    public override bool CanSeek => false;
    public override long Length => throw new NotSupportedException();
    public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (HasBuffered)
            return new(Take(buffer.Span));
        return buffer.IsEmpty ? inner.ReadAsync(buffer, cancellationToken) : ReadMoreAsync(buffer, cancellationToken);
    }

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        // The WebSocket hands over each frame whole, in one write.
        var opcode = FrameHead.OpcodeOf(buffer.Span[0]);
        if (opcode == Opcode.Close)
            SendClose();
        // The WebSocket looks at its state before it waits for its turn, and the close frame may be what it waits for.
        else if (_isCloseSent && opcode < Opcode.Close)
            throw new IOException("The close frame has been sent: no data may follow.");
        if (_isCloseSent || (!Corked && _writtenCount == 0))
        {
            _bytesOut += buffer.Length;
            return inner.WriteAsync(buffer, cancellationToken);
        }
        Keep(buffer.Span);
        return Corked ? ValueTask.CompletedTask : WriteKeptAsync(cancellationToken);
    }

    // Kestrel's upgraded stream flushes with every write.
    public override Task FlushAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public override void Flush() => throw new NotSupportedException(AsyncOnly);
    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException(AsyncOnly);
    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException(AsyncOnly);
    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();
    public override void SetLength(long value) => throw new NotSupportedException();

    // No buffer goes back to the pool here: a read may still be under way in it when the socket is aborted.
    protected override void Dispose(bool disposing)
    {
        if (disposing)
            inner.Dispose();
        base.Dispose(disposing);
    }

    private async ValueTask<int> ReadMoreAsync(Memory<byte> buffer, CancellationToken cancellationToken)
    {
        _read ??= ArrayPool<byte>.Shared.Rent(ReadSize);
        _readStart = _readEnd = 0;
        _readEnd = await inner.ReadAsync(_read, cancellationToken);
        _untaken += _readEnd;
        if (_untaken > ReadSize && OnControlTraffic is { } onControlTraffic)
            await onControlTraffic(TakeRead());
        return Take(buffer.Span);
    }

    private int Take(Span<byte> buffer)
    {
        var count = Math.Min(buffer.Length, _readEnd - _readStart);
        _read.AsSpan(_readStart, count).CopyTo(buffer);
        _readStart += count;
        if (!HasBuffered)
            Return(ref _read);
        return count;
    }

    private async ValueTask WriteKeptAsync(CancellationToken cancellationToken)
    {
        var (kept, count) = (_written!, _writtenCount);
        (_written, _writtenCount) = (null, 0);
        _bytesOut += count;
        await inner.WriteAsync(kept.AsMemory(0, count), cancellationToken);
        ArrayPool<byte>.Shared.Return(kept);
    }

    private void Keep(ReadOnlySpan<byte> bytes)
    {
        _written ??= ArrayPool<byte>.Shared.Rent(Math.Max(4096, bytes.Length));
        if (_written.Length - _writtenCount < bytes.Length)
        {
            var larger = ArrayPool<byte>.Shared.Rent(Math.Max(_written.Length * 2, _writtenCount + bytes.Length));
            _written.AsSpan(0, _writtenCount).CopyTo(larger);
            Return(ref _written);
            _written = larger;
        }
        bytes.CopyTo(_written.AsSpan(_writtenCount));
        _writtenCount += bytes.Length;
    }

    // The kept bytes belong to a batch whose rest comes too late: all of it counts as not sent.
    private void SendClose()
    {
        (_isCloseSent, _writtenCount) = (true, 0);
        if (_written is not null)
            Return(ref _written);
    }

    private static void Return(ref byte[]? buffer)
    {
        ArrayPool<byte>.Shared.Return(buffer!);
        buffer = null;
    }
}

/// <summary>
/// What lies below a WebSocket here: <see cref="CorkedStream"/> below the framework's, and <see cref="LeanSocket"/> itself.
/// </summary>
internal interface IWire
{
    /// <summary>Set by the single writer of messages: while true, what it sends is kept, and leaves with the first message after.</summary>
    bool Corked { get; set; }

    /// <summary>Bytes have come that no receive has returned yet: the next receive does not wait.</summary>
    bool HasBuffered { get; }

    /// <summary>
    /// Awaited when more than 4 KiB have come without data, which only control frames cause. The argument is <see cref="TakeRead"/>.
    /// </summary>
    Func<int, ValueTask>? OnControlTraffic { get; set; }

    /// <summary>How many bytes came since this was asked last: payload, framing, control frames.</summary>
    int TakeRead();

    /// <summary>Bytes handed to the transport since the upgrade: payload, STOMP and WebSocket framing, control frames.</summary>
    long BytesOut { get; }
}
