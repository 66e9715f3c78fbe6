namespace PubSubOverWs.Relay;

/// <summary>
/// What one connection, or all of one address, may send in a second (<see cref="RelayOptions.MaxMessagesPerSecond"/>,
/// <see cref="RelayOptions.MaxBytesPerSecond"/>): two buckets that fill evenly and hold a second's worth. Input that has come is taken even
/// if a bucket goes below zero; until it is above again nothing more is read.
/// </summary>
internal sealed class InputRate
{
    private readonly Lock _gate = new();
    private readonly TimeProvider _time;
    private readonly InputRate? _address;
    private readonly double _messagesPerSecond;
    private readonly double _bytesPerSecond;
    private double _messages;
    private double _bytes;
    private long _filled;

    private InputRate(int messagesPerSecond, int bytesPerSecond, TimeProvider time, InputRate? address)
    {
        _time = time;
        _address = address;
        _messages = _messagesPerSecond = messagesPerSecond > 0 ? messagesPerSecond : double.MaxValue;
        _bytes = _bytesPerSecond = bytesPerSecond > 0 ? bytesPerSecond : double.MaxValue;
        _filled = time.GetTimestamp();
    }

    /// <summary>Of one connection. Null: nothing is bounded.</summary>
    /// <param name="address">The rate that the connection shares with others, and is held to as well.</param>
    public static InputRate? Create(RelayOptions options, TimeProvider time, InputRate? address = null) =>
        options.MaxMessagesPerSecond > 0 || options.MaxBytesPerSecond > 0 || address is not null
            ? new InputRate(options.MaxMessagesPerSecond, options.MaxBytesPerSecond, time, address)
            : null;

    /// <summary>Of all connections of one address. Null: nothing is bounded.</summary>
    public static InputRate? CreateForAddress(RelayOptions options, TimeProvider time) =>
        options.MaxMessagesPerSecondPerAddress > 0 || options.MaxBytesPerSecondPerAddress > 0
            ? new InputRate(options.MaxMessagesPerSecondPerAddress, options.MaxBytesPerSecondPerAddress, time, address: null)
            : null;

    /// <summary>Both buckets are full: it remembers nothing.</summary>
    public bool IsFull
    {
        get
        {
            lock (_gate)
            {
                Fill();
                return _messages >= _messagesPerSecond && _bytes >= _bytesPerSecond;
            }
        }
    }

    public void TakeMessages(int count)
    {
        lock (_gate)
            _messages -= count;
        _address?.TakeMessages(count);
    }

    public void TakeBytes(int count)
    {
        lock (_gate)
            _bytes -= count;
        _address?.TakeBytes(count);
    }

    /// <summary>How long nothing more may be read; zero: go on.</summary>
    public TimeSpan Wait()
    {
        var forAddress = _address?.Wait() ?? TimeSpan.Zero;
        lock (_gate)
        {
            Fill();
            // A message needs one whole token; an unbounded bucket never runs short.
            var forMessages = _messages >= 1 ? 0 : (1 - _messages) / _messagesPerSecond;
            var forBytes = _bytes >= 0 ? 0 : -_bytes / _bytesPerSecond;
            var own = TimeSpan.FromSeconds(Math.Max(forMessages, forBytes));
            return own > forAddress ? own : forAddress;
        }
    }

    private void Fill()
    {
        var now = _time.GetTimestamp();
        var seconds = _time.GetElapsedTime(_filled, now).TotalSeconds;
        _filled = now;
        _messages = Math.Min(_messagesPerSecond, _messages + (seconds * _messagesPerSecond));
        _bytes = Math.Min(_bytesPerSecond, _bytes + (seconds * _bytesPerSecond));
    }
}
