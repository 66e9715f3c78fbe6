using System.Buffers;

namespace PubSubOverWs.Relay;

/// <summary>
/// The upgraded connection below the WebSocket. It lets one writer send many WebSocket frames in one write (<see cref="Instead"/>),
/// serves the WebSocket's small reads from one larger read, and counts every byte that leaves. It holds no buffer while the connection is
/// idle.
/// </summary>
/// <remarks>
/// The WebSocket above serializes its writes, so all writes here come one after another. Control frames that slip in before a batch leave
/// before it. A close frame is the end of all data: a batch that comes after it fails as a whole.
/// </remarks>
internal sealed class CorkedStream(Stream inner) : Stream, IWire
{
    private const int ReadSize = 4096;
    private const string AsyncOnly = "Only asynchronous calls are supported.";

    private long _reads;
    private byte[]? _read;
    private int _readStart;
    private int _readEnd;
    private int _untaken;
    private bool _isCloseSent;
    private long _bytesOut;

    public FrameList? Instead { get; set; }

    public long Reads => Volatile.Read(ref _reads);

    public bool HasBuffered => _readEnd > _readStart;

    public IWireOwner? Owner { get; set; }

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
        var isData = opcode < Opcode.Close;
        if (isData)
        {
            // The WebSocket looks at its state before it waits for its turn, and the close frame may be what it waits for.
            if (_isCloseSent)
                throw new IOException("The close frame has been sent: no data may follow.");
            if (Instead is { } frames)
                (Instead, buffer) = (null, frames.ToWire());
        }
        else if (opcode == Opcode.Close)
        {
            _isCloseSent = true;
        }
        _bytesOut += buffer.Length;
        if (isData)
            Owner?.OnLeaving();
        return inner.WriteAsync(buffer, cancellationToken);
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
        Volatile.Write(ref _reads, _reads + 1);
        if (_untaken > ReadSize && Owner is { } owner)
            await owner.OnControlTrafficAsync(TakeRead());
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

    private static void Return(ref byte[]? buffer)
    {
        ArrayPool<byte>.Shared.Return(buffer!);
        buffer = null;
    }
}
