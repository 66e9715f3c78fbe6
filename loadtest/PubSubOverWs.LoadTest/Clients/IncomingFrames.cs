using PubSubOverWs.Stomp;

namespace PubSubOverWs.LoadTest.Clients;

/// <summary>Reads STOMP frames from the bytes of a server. Knows no socket.</summary>
public sealed class IncomingFrames : IDisposable
{
    private readonly ReceiveBuffer _buffer = new();
    private readonly StompReader _reader = new(new StompLimits());

    /// <summary>The reason why the bytes cannot be read, after which nothing can be read; null: none.</summary>
    public string? Fault { get; private set; }

    /// <summary>The server's close frame has come: no frame follows, only the end of the connection.</summary>
    public bool Closed => _buffer.Closed;

    /// <summary>Where the next bytes go.</summary>
    public Memory<byte> GetMemory() => _buffer.GetMemory();

    /// <summary>So many bytes were written to <see cref="GetMemory"/>.</summary>
    public void Received(int count) => _buffer.Received(count);

    /// <summary>The server's answer to the upgrade request, if all of it has come; see <see cref="UpgradeResponse.TryRead"/>.</summary>
    public bool TryReadUpgrade(string expectedAccept, out string? rejection)
    {
        var whole = UpgradeResponse.TryRead(_buffer.Raw, expectedAccept, out var length, out rejection);
        if (whole)
            _buffer.SkipRaw(length);
        return whole;
    }

    /// <summary>The next whole frame, valid until any other call. False: more bytes are needed, or see <see cref="Fault"/>.</summary>
    public bool TryRead(out StompFrame frame)
    {
        try
        {
            _buffer.Unframe();
            var whole = _reader.TryRead(_buffer.Payload, out frame, out var consumed);
            _buffer.Consume(consumed);
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
        var ping = _buffer.Ping;
        _buffer.Ping = null;
        return ping;
    }

    public void Dispose() => _buffer.Dispose();
}
