namespace PubSubOverWs.PubSubServer;

/// <summary>Messages that wait out a time, with one timer for all of them. Safe from any thread.</summary>
internal sealed class Delays : IDisposable
{
    private readonly Lock _lock = new();
    private readonly PriorityQueue<InboundMessage, long> _waiting = new();
    private readonly TimeProvider _time;
    private readonly Action<InboundMessage> _due;
    private readonly ITimer _timer;

    /// <param name="time">The clock of the delays.</param>
    /// <param name="due">Called on the timer's thread.</param>
    public Delays(TimeProvider time, Action<InboundMessage> due)
    {
        _time = time;
        _due = due;
        _timer = time.CreateTimer(_ => Fire(), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    public void Add(InboundMessage message, TimeSpan delay)
    {
        lock (_lock)
        {
            _waiting.Enqueue(message, _time.GetTimestamp() + (long)(delay.TotalSeconds * _time.TimestampFrequency));
            if (_waiting.Peek() == message)
                _timer.Change(delay, Timeout.InfiniteTimeSpan);
        }
    }

    public void Dispose() => _timer.Dispose();

    private void Fire()
    {
        var due = new List<InboundMessage>();
        lock (_lock)
        {
            var now = _time.GetTimestamp();
            while (_waiting.TryPeek(out var message, out var at))
            {
                if (at > now)
                {
                    _timer.Change(_time.GetElapsedTime(now, at), Timeout.InfiniteTimeSpan);
                    break;
                }
                _waiting.Dequeue();
                due.Add(message);
            }
        }
        due.ForEach(_due);
    }
}
