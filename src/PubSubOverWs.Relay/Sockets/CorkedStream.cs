using System.Buffers;
using System.Buffers.Binary;
using System.Net.WebSockets;

namespace PubSubOverWs.Relay;

/// <summary>
/// The upgraded connection below the WebSocket. It lets one writer send many WebSocket frames in one write (<see cref="Ahead"/>), serves
/// the WebSocket's small reads from one larger read, and counts every byte that leaves. It holds no buffer while the connection is idle.
/// </summary>
/// <remarks>
/// The WebSocket above serializes its writes, so all writes here come one after another. The single writer of data sets
/// <see cref="Ahead"/> before it sends the last frame of a batch; control frames that slip in leave before the batch. A close frame is the
/// end of all data: a batch that comes after it fails as a whole.
/// </remarks>
internal sealed class CorkedStream(Stream inner) : Stream
{
    /// <summary>A PING without a payload.</summary>
    public static readonly byte[] Ping = [WholeMessage | PingOpcode, 0];

    private const int ReadSize = 4096;
    private const string AsyncOnly = "Only asynchronous calls are supported.";

    // RFC 6455, 5.2: below are data frames. The WebSocket hands over each frame whole, in one write.
    private const int TextOpcode = 1;
    private const int BinaryOpcode = 2;
    private const int CloseOpcode = 8;
    private const int PingOpcode = 9;
    private const int OpcodeBits = 0x0F;
    private const int WholeMessage = 0x80;
    private const int LengthIn16Bits = 126;
    private const int LengthIn64Bits = 127;

    private long _reads;
    private byte[]? _read;
    private int _readStart;
    private int _readEnd;
    private int _untaken;
    private bool _isCloseSent;
    private long _bytesOut;

    /// <summary>
    /// Frames that leave before the next data frame, in the same write, which appends that frame to them; null: none. The writer's: no
    /// longer used once its write has completed.
    /// </summary>
    public PooledBuffer? Ahead { get; set; }

    /// <summary>
    /// The next data frame leaves as a PING: the framework's WebSocket sends none when it is told to, but keeps the order of writes.
    /// </summary>
    public bool IsPing { get; set; }

    /// <summary>Changes whenever bytes of the client were read, if only a PONG.</summary>
    public long Reads => Volatile.Read(ref _reads);

    /// <summary>Bytes were read from the transport that the WebSocket has not asked for yet: the next receive does not wait.</summary>
    public bool HasBuffered => _readEnd > _readStart;

    /// <summary>
    /// Awaited when many bytes were read without a data frame, which only control frames cause: the WebSocket answers them by itself, and
    /// its reader does not see them. The argument is <see cref="TakeRead"/>.
    /// </summary>
    public Func<int, ValueTask>? OnControlTraffic { get; set; }

    /// <summary>How many bytes were read since this was asked last: payload, framing, control frames.</summary>
    public int TakeRead()
    {
        var read = _untaken;
        _untaken = 0;
        return read;
    }

    /// <summary>Bytes handed to the transport since the upgrade: payload, STOMP and WebSocket framing, control frames.</summary>
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

    /// <summary>Appends a server's frame: a whole message, without a mask (RFC 6455, 5.2).</summary>
    /// <param name="payload">At most 125 bytes for a PING.</param>
    /// <param name="type">Text or binary; null: a PING.</param>
    /// <param name="output">Takes the frame.</param>
    public static void Frame(ReadOnlySpan<byte> payload, WebSocketMessageType? type, PooledBuffer output)
    {
        const int LongestHead = 10;
        var head = output.GetSpan(LongestHead + payload.Length);
        var opcode = type switch { null => PingOpcode, WebSocketMessageType.Text => TextOpcode, _ => BinaryOpcode };
        head[0] = (byte)(WholeMessage | opcode);
        var length = payload.Length switch { < LengthIn16Bits => 2, <= ushort.MaxValue => 4, _ => LongestHead };
        head[1] = (byte)(length switch { 2 => payload.Length, 4 => LengthIn16Bits, _ => LengthIn64Bits });
        if (length == 4)
            BinaryPrimitives.WriteUInt16BigEndian(head[2..], (ushort)payload.Length);
        else if (length == LongestHead)
            BinaryPrimitives.WriteUInt64BigEndian(head[2..], (ulong)payload.Length);
        payload.CopyTo(head[length..]);
        output.Advance(length + payload.Length);
    }

    /// <summary>Nothing of a batch that failed is sent with later frames.</summary>
    public void Forget() => (Ahead, IsPing) = (null, false);

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        var opcode = buffer.Span[0] & OpcodeBits;
        if (opcode < CloseOpcode)
        {
            // The WebSocket looks at its state before it waits for its turn, and the close frame may be what it waits for.
            if (_isCloseSent)
                throw new IOException("The close frame has been sent: no data may follow.");
            if (IsPing)
                (IsPing, buffer) = (false, Ping);
            if (Ahead is { } ahead)
            {
                Ahead = null;
                ahead.Append(buffer.Span);
                buffer = ahead.Memory;
            }
        }
        else if (opcode == CloseOpcode)
        {
            _isCloseSent = true;
        }
        _bytesOut += buffer.Length;
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

    private static void Return(ref byte[]? buffer)
    {
        ArrayPool<byte>.Shared.Return(buffer!);
        buffer = null;
    }
}
