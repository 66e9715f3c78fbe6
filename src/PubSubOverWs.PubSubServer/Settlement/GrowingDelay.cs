namespace PubSubOverWs.PubSubServer;

/// <summary>Delays that double from try to try, up to a bound.</summary>
internal static class GrowingDelay
{
    private static readonly TimeSpan FirstGiveBack = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan LongestGiveBack = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan FirstRelease = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan LongestRelease = TimeSpan.FromSeconds(60);

    /// <summary>After a NACK, before the next subscriber gets it: 100 ms, 200 ms ... 5 s.</summary>
    /// <param name="deliveries">1 or more: how often it was delivered so far.</param>
    public static TimeSpan OfGiveBack(int deliveries) => Doubled(FirstGiveBack, LongestGiveBack, deliveries);

    /// <summary>
    /// How long a message that could not be held stays hidden in the queue: 1, 2, 4 ... 60 s, less up to half of it by chance, so that what was
    /// released together does not come back together. Whole seconds, at least one.
    /// </summary>
    /// <param name="receives">1 or more: how often the queue has handed it out.</param>
    /// <param name="chance">0 to 1.</param>
    public static TimeSpan OfRelease(int receives, double chance) =>
        TimeSpan.FromSeconds(Math.Ceiling(Doubled(FirstRelease, LongestRelease, receives).TotalSeconds * (1 - chance / 2)));

    private static TimeSpan Doubled(TimeSpan first, TimeSpan longest, int attempt)
    {
        var grown = first * Math.Pow(2, Math.Min(Math.Max(attempt, 1), 32) - 1);
        return grown < longest ? grown : longest;
    }
}
