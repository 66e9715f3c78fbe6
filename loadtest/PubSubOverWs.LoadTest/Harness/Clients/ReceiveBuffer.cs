using System.Buffers;

namespace PubSubOverWs.LoadTest.Harness.Clients;

/// <summary>
/// The received bytes of a connection: first the payload of WebSocket frames, then unparsed bytes. STOMP is a stream, so message boundaries
/// and fragments do not matter. Control frames are noted for the connection.
/// </summary>
/// <remarks>Arrays come from a pool of the program's own: 10,000 users use them again in every iteration.</remarks>
/// <param name="firstSize">Bytes before it grows, which it does when one frame needs it: so many are read at once.</param>
public class ReceiveBuffer(int firstSize = ReceiveBuffer.FirstSize) : IDisposable
{
    /// <summary>Enough for a client that gets a message now and then.</summary>
    public const int FirstSize = 1024;

    private const int LargestPooled = 1 << 20;
    private const int MaxPooled = 16384;

    private static readonly ArrayPool<byte> Pool = ArrayPool<byte>.Create(LargestPooled, MaxPooled);

    private byte[] _bytes = Pool.Rent(firstSize);
    private int _payloadStart;
    private int _payloadEnd;
    private int _rawStart;
    private int _rawEnd;
    private int _frameLeft;

    /// <summary>The server sent a close frame: only the end of the connection follows.</summary>
    public bool Closed { get; private set; }

    /// <summary>The payload of a ping that needs a pong; null: none. To be set to null when it was answered.</summary>
    public byte[]? Ping { get; set; }

    /// <summary>Payload not yet consumed.</summary>
    public ReadOnlySpan<byte> Payload => _bytes.AsSpan(_payloadStart, _payloadEnd - _payloadStart);

    /// <summary>Bytes not yet parsed as frames: the answer to the handshake.</summary>
    public ReadOnlySpan<byte> Raw => _bytes.AsSpan(_rawStart, _rawEnd - _rawStart);

    /// <summary>Where the next bytes go; grows if it is full.</summary>
    public Memory<byte> GetMemory()
    {
        Compact();
        if (_rawEnd == _bytes.Length)
            Grow();
        return _bytes.AsMemory(_rawEnd);
    }

    /// <summary><paramref name="count"/> bytes were written to <see cref="GetMemory"/>.</summary>
    public void Received(int count) => _rawEnd += count;

    /// <summary>Drops the answer to the handshake.</summary>
    public void SkipRaw(int count) => _rawStart += count;

    public void Consume(int count) => _payloadStart += count;

    /// <summary>Extracts the payload of all received frames, in place.</summary>
    /// <exception cref="InvalidDataException">A frame that no server may send.</exception>
    public void Unframe()
    {
        while (!Closed)
        {
            if (_frameLeft == 0 && !TryReadHeader())
                return;
            var count = Math.Min(_frameLeft, _rawEnd - _rawStart);
            _bytes.AsSpan(_rawStart, count).CopyTo(_bytes.AsSpan(_payloadEnd));
            _payloadEnd += count;
            _rawStart += count;
            _frameLeft -= count;
            if (_rawStart == _rawEnd)
                return;
        }
    }

    public void Dispose()
    {
        Pool.Return(_bytes);
        _bytes = [];
        GC.SuppressFinalize(this);
    }

    /// <summary>Reads one header, or a whole control frame. False: more bytes are needed.</summary>
    private bool TryReadHeader()
    {
        if (!FrameHeader.TryRead(Raw, out var header))
            return false;
        var isWhole = header.TryReadLength(Raw, out var length);
        if (header.IsMasked || header.HasReservedBits || length > int.MaxValue)
            throw new InvalidDataException("The server sent a WebSocket frame that is masked, has reserved bits or is beyond 2 GiB.");
        if (!isWhole)
            return false;
        if (Opcodes.IsControl(header.Opcode))
            return TryTakeControl(header.Opcode, header.Bytes, (int)length);
        _rawStart += header.Bytes;
        _frameLeft = (int)length;
        return true;
    }

    private bool TryTakeControl(byte opcode, int header, int length)
    {
        if (Raw.Length < header + length)
            return false;
        Closed = opcode == Opcodes.Close;
        if (opcode == Opcodes.Ping)
            Ping = Raw.Slice(header, length).ToArray();
        _rawStart += header + length;
        return true;
    }

    private void Compact()
    {
        if (_payloadStart == _payloadEnd)
            _payloadStart = _payloadEnd = 0;
        if (_rawStart == _rawEnd)
            _rawStart = _rawEnd = _payloadEnd;
        if (_rawEnd == _bytes.Length)
            MoveToFront();
    }

    private void Grow()
    {
        var old = _bytes;
        _bytes = Pool.Rent(old.Length * 2);
        old.CopyTo(_bytes, 0);
        Pool.Return(old);
    }

    private void MoveToFront()
    {
        var raw = Raw;
        Payload.CopyTo(_bytes);
        _payloadEnd -= _payloadStart;
        _payloadStart = 0;
        raw.CopyTo(_bytes.AsSpan(_payloadEnd));
        _rawStart = _payloadEnd;
        _rawEnd = _rawStart + raw.Length;
    }
}

/// <summary>Reads STOMP frames from the bytes of a server, without a socket.</summary>
public sealed class IncomingFrames(int firstSize = ReceiveBuffer.FirstSize) : ReceiveBuffer(firstSize)
{
    private readonly StompReader _reader = new(new StompLimits());

    /// <summary>Why the bytes cannot be read, this and all later ones; null: they can.</summary>
    public string? Fault { get; private set; }

    /// <summary>Reads the server's answer to the upgrade request: see <see cref="UpgradeResponse.TryRead"/>.</summary>
    public bool TryReadUpgrade(string expectedAccept, out string? rejection)
    {
        var whole = UpgradeResponse.TryRead(Raw, expectedAccept, out var length, out rejection);
        if (whole)
            SkipRaw(length);
        return whole;
    }

    /// <summary>The next frame, valid until the next call. False: more bytes are needed, or see <see cref="Fault"/>.</summary>
    public bool TryRead(out StompFrame frame)
    {
        try
        {
            Unframe();
            var whole = _reader.TryRead(Payload, out frame, out var consumed);
            Consume(consumed);
            return whole;
        }
        catch (Exception error) when (error is StompException or InvalidDataException)
        {
            Fault = error.Message;
            frame = default;
            return false;
        }
    }

    /// <summary>The payload of a ping that needs a pong, returned once; null: none.</summary>
    public byte[]? TakePing()
    {
        var ping = Ping;
        Ping = null;
        return ping;
    }
}
