namespace PubSubOverWs.PubSubServer;

/// <summary>Messages that wait out a time, with one timer for all of them. Safe from any thread.</summary>
internal sealed class Delays : IDisposable
{
    private readonly Lock _lock = new();
    private readonly PriorityQueue<InboundMessage, long> _waiting = new();
    private readonly TimeProvider _time;
    private readonly Action<InboundMessage> _due;
    private readonly ITimer _timer;

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

/// <summary>How long messages wait before they are offered again.</summary>
internal static class OfferDelay
{
    private static readonly TimeSpan FirstGiveBack = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan LongestGiveBack = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan LongestDetour = TimeSpan.FromSeconds(20);

    /// <summary>After a NACK, before the next subscriber gets it: 100 ms, 200 ms ... 5 s.</summary>
    /// <param name="deliveries">1 or more: how often it was delivered so far.</param>
    public static TimeSpan AfterGiveBack(int deliveries) => Doubled(FirstGiveBack, LongestGiveBack, deliveries);

    /// <summary>
    /// How long a message that can be neither held nor parked stays hidden in its queue: 10 to 20 s, by chance, so that what went together
    /// does not come back together. Whole seconds.
    /// </summary>
    /// <param name="chance">0 to 1.</param>
    public static TimeSpan ForDetour(double chance) => TimeSpan.FromSeconds(Math.Ceiling(LongestDetour.TotalSeconds * (1 - chance / 2)));

    private static TimeSpan Doubled(TimeSpan first, TimeSpan longest, int attempt)
    {
        var grown = first * Math.Pow(2, Math.Min(Math.Max(attempt, 1), 32) - 1);
        return grown < longest ? grown : longest;
    }
}
