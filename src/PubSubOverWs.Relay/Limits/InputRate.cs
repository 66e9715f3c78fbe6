namespace PubSubOverWs.Relay;

/// <summary>
/// What one connection may send in a second (<see cref="RelayOptions.MaxMessagesPerSecond"/>, <see cref="RelayOptions.MaxBytesPerSecond"/>): two buckets that fill evenly and
/// hold a second's worth. What came is taken even if a bucket goes below zero; until it is above again nothing more is read.
/// </summary>
internal sealed class InputRate
{
    private readonly TimeProvider _time;
    private readonly double _messagesPerSecond;
    private readonly double _bytesPerSecond;
    private double _messages;
    private double _bytes;
    private long _filled;

    private InputRate(RelayOptions options, TimeProvider time)
    {
        _time = time;
        _messages = _messagesPerSecond = options.MaxMessagesPerSecond > 0 ? options.MaxMessagesPerSecond : double.MaxValue;
        _bytes = _bytesPerSecond = options.MaxBytesPerSecond > 0 ? options.MaxBytesPerSecond : double.MaxValue;
        _filled = time.GetTimestamp();
    }

    /// <summary>Null: nothing is bounded.</summary>
    public static InputRate? Of(RelayOptions options, TimeProvider time) =>
        options.MaxMessagesPerSecond > 0 || options.MaxBytesPerSecond > 0 ? new InputRate(options, time) : null;

    public void TakeMessages(int count) => _messages -= count;

    public void TakeBytes(int count) => _bytes -= count;

    /// <summary>How long nothing more may be read; zero: go on.</summary>
    public TimeSpan Wait()
    {
        var now = _time.GetTimestamp();
        var seconds = _time.GetElapsedTime(_filled, now).TotalSeconds;
        _filled = now;
        _messages = Math.Min(_messagesPerSecond, _messages + (seconds * _messagesPerSecond));
        _bytes = Math.Min(_bytesPerSecond, _bytes + (seconds * _bytesPerSecond));
        // A message needs a whole one; what is not bounded is never short.
        var forMessages = _messages >= 1 ? 0 : (1 - _messages) / _messagesPerSecond;
        var forBytes = _bytes >= 0 ? 0 : -_bytes / _bytesPerSecond;
        return TimeSpan.FromSeconds(Math.Max(forMessages, forBytes));
    }
}
