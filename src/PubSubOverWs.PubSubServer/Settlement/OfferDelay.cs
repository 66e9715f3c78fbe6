namespace PubSubOverWs.PubSubServer;

/// <summary>How long messages wait before they are offered again.</summary>
internal static class OfferDelay
{
    private static readonly TimeSpan FirstGiveBack = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan LongestGiveBack = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan LongestDetour = TimeSpan.FromSeconds(20);

    /// <summary>After a NACK, before the next subscriber gets it: 100 ms, 200 ms ... 5 s.</summary>
    /// <param name="deliveries">1 or more: how often it was delivered so far.</param>
    public static TimeSpan OfGiveBack(int deliveries) => Doubled(FirstGiveBack, LongestGiveBack, deliveries);

    /// <summary>
    /// How long a message that can be neither held nor parked stays hidden in its queue: 10 to 20 s, by chance, so that what went together
    /// does not come back together. Whole seconds.
    /// </summary>
    /// <param name="chance">0 to 1.</param>
    public static TimeSpan OfDetour(double chance) => TimeSpan.FromSeconds(Math.Ceiling(LongestDetour.TotalSeconds * (1 - chance / 2)));

    private static TimeSpan Doubled(TimeSpan first, TimeSpan longest, int attempt)
    {
        var grown = first * Math.Pow(2, Math.Min(Math.Max(attempt, 1), 32) - 1);
        return grown < longest ? grown : longest;
    }
}
