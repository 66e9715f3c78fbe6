using System.Buffers;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Http.Features;

namespace PubSubOverWs.Relay;

/// <summary>
/// The upgraded connection below the WebSocket. It lets one writer send many WebSocket frames in one write (<see cref="Instead"/>),
/// serves the WebSocket's small reads from one larger read, and counts every byte that leaves. It holds no buffer while the connection is
/// idle.
/// </summary>
/// <param name="socket">Below it, and below TLS; null: not known.</param>
/// <remarks>
/// The WebSocket above serializes its writes, so all writes here come one after another. Control frames that slip in before a batch leave
/// before it. A close frame is the end of all data: a batch that comes after it fails as a whole.
/// </remarks>
internal sealed class CorkedStream(Stream inner, Socket? socket = null) : Stream, IWire
{
    private const int ReadSize = 4096;
    private const string AsyncOnly = "Only asynchronous calls are supported.";

    private long _reads;
    private byte[]? _read;
    private int _readStart;
    private int _readEnd;
    private int _untaken;
    private volatile bool _isCloseSent;
    private long _bytesOut;

    public FrameBatch? Instead { get; set; }

    public long Reads => Volatile.Read(ref _reads);

    public bool HasBuffered => _readEnd > _readStart;

    public IWireOwner? Owner { get; set; }

    public bool IsCloseSent => _isCloseSent;

    public bool IsCut { get; set; }

    public int TakeRead()
    {
        var read = _untaken;
        _untaken = 0;
        return read;
    }

    public long BytesOut => Volatile.Read(ref _bytesOut);

    public long? Taken => Acknowledged.GetBytes(socket);

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
        var opcode = FrameHead.ReadOpcode(buffer.Span[0]);
        var isData = opcode < Opcode.Close;
        if (isData)
        {
            // The WebSocket looks at its state before it waits for its turn, and the close frame may be what it waits for.
            if (_isCloseSent)
                throw new IOException("The close frame has been sent: no data may follow.");
            if (Instead is { } frames)
            {
                Instead = null;
                buffer = frames.ToWire();
            }
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

/// <summary>
/// What lies below a WebSocket here: <see cref="CorkedStream"/> below the framework's, and <see cref="LeanSocket"/> itself.
/// </summary>
internal interface IWire
{
    /// <summary>
    /// Frames that leave in place of the next message that is sent, in one write; null: none. Set by the single writer of messages, which
    /// then sends an empty one: it keeps the order of writes, and comes too late after a close frame as any other. The writer's: no longer
    /// used once that send has completed.
    /// </summary>
    FrameBatch? Instead { get; set; }

    /// <summary>Changes whenever bytes of the client were read, if only a PONG.</summary>
    long Reads { get; }

    /// <summary>Bytes have come that no receive has returned yet: the next receive does not wait.</summary>
    bool HasBuffered { get; }

    /// <summary>The close frame has been handed to the transport: ours, or that of the framing after a violation.</summary>
    bool IsCloseSent { get; }

    /// <summary>The connection is being cut, whatever was sent.</summary>
    bool IsCut { get; set; }

    /// <summary>The single writer of messages, and the only reader; null: nobody is told anything.</summary>
    IWireOwner? Owner { get; set; }

    /// <summary>How many bytes came since this was asked last: payload, framing, control frames.</summary>
    int TakeRead();

    /// <summary>Bytes handed to the transport since the upgrade: payload, STOMP and WebSocket framing, control frames.</summary>
    long BytesOut { get; }

    /// <summary>Bytes that the other side's system has taken (<see cref="Acknowledged"/>), TLS included; null: not known.</summary>
    long? Taken { get; }
}

/// <summary>Who reads a wire's messages and writes them.</summary>
internal interface IWireOwner
{
    /// <summary>
    /// What is being sent is in <see cref="IWire.BytesOut"/>, and none of it has left: what is counted now is counted before a client can
    /// have it. Not called for what is refused, because the close frame went before. Must only count.
    /// </summary>
    void OnLeaving();

    /// <summary>Awaited when more than 4 KiB have come without data, which only control frames cause.</summary>
    /// <param name="bytes">From <see cref="IWire.TakeRead"/>.</param>
    ValueTask OnControlTrafficAsync(int bytes);
}

/// <summary>Stands before the WebSocket middleware, so that the framework's WebSocket is built on a <see cref="CorkedStream"/>.</summary>
internal sealed class CorkedUpgrade(IHttpUpgradeFeature inner, IHttpRequestLifetimeFeature lifetime, IConnectionSocketFeature? connection)
    : IHttpUpgradeFeature, IHttpRequestLifetimeFeature
{
    /// <summary>The stream of the upgraded connection; null before the upgrade.</summary>
    public CorkedStream? Stream { get; private set; }

    /// <summary>That of a request which may become a WebSocket; null: it may not.</summary>
    public static CorkedUpgrade? Find(HttpContext context) => context.Features.Get<IHttpUpgradeFeature>() as CorkedUpgrade;

    public bool IsUpgradableRequest => inner.IsUpgradableRequest;

    public CancellationToken RequestAborted
    {
        get => lifetime.RequestAborted;
        set => lifetime.RequestAborted = value;
    }

    public async Task<Stream> UpgradeAsync() => Stream = new CorkedStream(await inner.UpgradeAsync(), connection?.Socket);

    /// <summary>
    /// The framework's WebSocket calls it by itself, too, right after the close frame that tells a client of its offence, and which would
    /// be lost: that frame stays the last word, unless the connection is cut here.
    /// </summary>
    public void Abort()
    {
        if (Stream is not { IsCloseSent: true, IsCut: false })
            lifetime.Abort();
    }

    /// <summary>The middleware; nothing changes for requests that are no upgrade.</summary>
    public static Task InvokeAsync(HttpContext context, RequestDelegate next)
    {
        var features = context.Features;
        if (features.Get<IHttpUpgradeFeature>() is { IsUpgradableRequest: true } upgrade)
        {
            var corked = new CorkedUpgrade(
                upgrade, features.GetRequiredFeature<IHttpRequestLifetimeFeature>(), features.Get<IConnectionSocketFeature>());
            features.Set<IHttpUpgradeFeature>(corked);
            features.Set<IHttpRequestLifetimeFeature>(corked);
        }
        return next(context);
    }
}

/// <summary>What the other side's system has taken of what was sent on a socket, be it a client or a proxy.</summary>
internal static class Acknowledged
{
    // tcpi_bytes_acked in struct tcp_info of linux/tcp.h, since Linux 4.1.
    private const int Tcp = 6, TcpInfo = 11, BytesAcked = 120;

    /// <summary>The system says it.</summary>
    public static bool IsKnown => OperatingSystem.IsLinux();

    /// <returns>Bytes since the connection was made; null: the system does not say, as only Linux does, or the socket is closed.</returns>
    public static long? GetBytes(Socket? socket)
    {
        if (socket is null || !IsKnown)
            return null;
        Span<byte> info = stackalloc byte[BytesAcked + sizeof(long)];
        try
        {
            return socket.GetRawSocketOption(Tcp, TcpInfo, info) == info.Length ? MemoryMarshal.Read<long>(info[BytesAcked..]) : null;
        }
        catch (Exception gone) when (gone is SocketException or ObjectDisposedException)
        {
            return null;
        }
    }
}
