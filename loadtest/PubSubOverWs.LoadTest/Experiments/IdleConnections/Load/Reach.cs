namespace PubSubOverWs.LoadTest.Experiments.IdleConnections.Load;

/// <summary>How far a message had come at which time.</summary>
public sealed class Reach
{
    private readonly TimeSpan[] _times;
    private readonly int _subscribers;

    /// <param name="times">When its copies came, of those that came in time, after it was due.</param>
    /// <param name="subscribers">That it is meant for: 1 or more.</param>
    public Reach(IEnumerable<TimeSpan> times, int subscribers) => (_times, _subscribers) = ([.. times.Order()], subscribers);

    /// <summary>Subscribers that had it in time.</summary>
    public int Reached => _times.Length;

    /// <summary>The mean over messages of the time until a share of the subscribers had each, in ms; null: one never came so far.</summary>
    /// <param name="percent">Of the subscribers: 1 to 100.</param>
    public static double? Mean(IReadOnlyList<Reach> messages, int percent) =>
        messages.All(one => one.Until(percent) is not null) ? messages.Average(one => one.Until(percent)!.Value.TotalMilliseconds) : null;

    /// <summary>The time until at least this share of the subscribers had it; null: it never came so far.</summary>
    /// <param name="percent">1 to 100.</param>
    public TimeSpan? Until(int percent)
    {
        var needed = (int)((((long)_subscribers * percent) + 99) / 100);
        return needed <= _times.Length ? _times[needed - 1] : null;
    }
}
