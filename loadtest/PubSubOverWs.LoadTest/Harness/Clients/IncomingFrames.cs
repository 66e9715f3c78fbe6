using PubSubOverWs.Stomp;

namespace PubSubOverWs.LoadTest.Harness.Clients;

/// <summary>Reads STOMP frames from the bytes of a server, without a socket.</summary>
/// <param name="bufferBytes">As of <see cref="ReceiveBuffer"/>.</param>
public sealed class IncomingFrames(int bufferBytes = ReceiveBuffer.FirstSize) : IDisposable
{
    private readonly ReceiveBuffer _buffer = new(bufferBytes);
    private readonly StompReader _reader = new(new StompLimits());

    /// <summary>Why the bytes cannot be read, this and all later ones; null: they can.</summary>
    public string? Fault { get; private set; }

    /// <inheritdoc cref="ReceiveBuffer.Closed"/>
    public bool Closed => _buffer.Closed;

    /// <summary>Where the next bytes go.</summary>
    public Memory<byte> GetMemory() => _buffer.GetMemory();

    /// <inheritdoc cref="ReceiveBuffer.Received"/>
    public void Received(int count) => _buffer.Received(count);

    /// <summary>Reads the server's answer to the upgrade request: see <see cref="UpgradeResponse.TryRead"/>.</summary>
    public bool TryReadUpgrade(string expectedAccept, out string? rejection)
    {
        var whole = UpgradeResponse.TryRead(_buffer.Raw, expectedAccept, out var length, out rejection);
        if (whole)
            _buffer.SkipRaw(length);
        return whole;
    }

    /// <summary>The next frame, valid until the next call. False: more bytes are needed, or see <see cref="Fault"/>.</summary>
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
