namespace PubSubOverWs.LoadTest.Bench;

/// <summary>What readers found in one leg, at a fixed rate.</summary>
/// <param name="Side">What stood beside them.</param>
/// <param name="Messages">That they sent, each to its sender.</param>
/// <param name="Missing">That did not come back within the patience of the bench: in percentiles they are slower than all that did.</param>
/// <param name="P50Milliseconds">From when a message was due.</param>
/// <param name="P99Milliseconds">Likewise.</param>
/// <param name="ResidentBytes">Of the server's process at the end of the leg.</param>
/// <param name="HeapBytes">Of that its managed heap, what is not yet collected included.</param>
/// <param name="Collections">Of the server's heap during the leg, by generation.</param>
/// <param name="PausedMilliseconds">For how long they stopped the server's threads, all together.</param>
/// <param name="Slow">Connections that the server had ended by then because they did not read.</param>
public sealed record ReadersLeg(
    ReadersSide Side,
    int Messages,
    int Missing,
    double P50Milliseconds,
    double P99Milliseconds,
    long ResidentBytes,
    long HeapBytes,
    IReadOnlyList<long> Collections,
    double PausedMilliseconds,
    long Slow)
{
    /// <summary>For how long the bench waits for what was sent last; what has not come by then counts as having taken so long.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    /// <summary>In milliseconds, by the nearest rank over all messages.</summary>
    /// <param name="sorted">Of those that came, in milliseconds.</param>
    /// <param name="messages">All that were sent.</param>
    /// <param name="share">Above 0 and up to 1, such as 0.99.</param>
    public static double Percentile(double[] sorted, int messages, double share)
    {
        var rank = (int)Math.Ceiling(share * messages) - 1;
        return rank < sorted.Length ? sorted[rank] : Patience.TotalMilliseconds;
    }
}
