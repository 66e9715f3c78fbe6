namespace PubSubOverWs.Relay;

/// <summary>
/// A capacity that many holders share, in any unit: bytes, messages, leases. A holder may have at most as much as would still be free
/// afterwards, so that however many holders take all they can, there is room for one that comes later: K of them have total / (K + 1)
/// each, and as much stays free.
/// </summary>
/// <remarks>
/// The dynamic threshold of A. K. Choudhury and E. L. Hahne, "Dynamic queue length thresholds for shared-memory packet switches" (1998),
/// with a factor of 1. Safe from any thread, without a lock. Each holder counts its own part.
/// </remarks>
/// <param name="total">The amount that is shared.</param>
public sealed class FairShare(long total)
{
    private long _taken;

    public long Total { get; } = total;

    /// <summary>The amount that all holders have; more than <see cref="Total"/> only by <see cref="Take"/>.</summary>
    public long Taken => Volatile.Read(ref _taken);

    /// <summary>Whether a holder of so much may take <paramref name="more"/> now.</summary>
    public bool MayTake(long held, long more) => held + more <= Total - Taken - more;

    /// <summary>Takes more for a holder of <paramref name="held"/>. False: that is beyond its share, and nothing changed.</summary>
    public bool TryTake(long held, long more)
    {
        if (held + more <= Total - Interlocked.Add(ref _taken, more))
            return true;
        Interlocked.Add(ref _taken, -more);
        return false;
    }

    /// <summary>Takes without a check, even beyond <see cref="Total"/>: others are refused until it is given back.</summary>
    public void Take(long more) => Interlocked.Add(ref _taken, more);

    public void GiveBack(long less) => Interlocked.Add(ref _taken, -less);
}
