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
public sealed class Budget(long total)
{
    private long _taken;

    public long Total { get; } = total;

    /// <summary>The amount that all holders have; more than <see cref="Total"/> only by <see cref="Take"/>.</summary>
    public long Taken => Volatile.Read(ref _taken);

    public long Free => Total - Taken;

    /// <summary>Whether a holder of so much may take <paramref name="more"/> now.</summary>
    public bool MayTake(long held, long more) => held + more <= Free - more;

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

/// <summary>
/// The part of a <see cref="Budget"/> that one holder has taken, counted from any thread. Calls at the same moment may take that many
/// pieces too much.
/// </summary>
internal sealed class Reservation(Budget budget)
{
    private long _held;

    /// <summary>
    /// How much more those within this part may have together: as much as is free, less what they have. Below 0: others came, and they
    /// have more than they may by now.
    /// </summary>
    public long Room => budget.Free - Volatile.Read(ref _held);

    /// <summary>False: that is beyond the holder's share, and nothing changed.</summary>
    public bool TryTake(long amount)
    {
        if (!budget.TryTake(Volatile.Read(ref _held), amount))
            return false;
        Count(amount);
        return true;
    }

    public void GiveBack(long amount)
    {
        Count(-amount);
        budget.GiveBack(amount);
    }

    /// <summary>Counts pieces that a holder within this part took from the budget.</summary>
    public void Count(long amount) => Interlocked.Add(ref _held, amount);
}

/// <summary>
/// How much clients together may have been given of queues and not have settled; messages of topics are settled before. Half as much again
/// is reserved for connections that have nothing: however many have taken all they can, one after the other, the next is given something.
/// </summary>
/// <param name="messages">At least 1.</param>
/// <param name="bytes">Of the memory that a broker keeps for them (<see cref="Delivery.Memory"/>), at least 1.</param>
public sealed class UnsettledBudget(int messages, long bytes)
{
    internal Budget Messages { get; } = new(messages);
    internal Budget Bytes { get; } = new(bytes);

    /// <summary>True: a connection that has nothing may be given a message, whatever others of its user or destination have.</summary>
    internal bool HasRoomForFirst =>
        Messages.Taken < Messages.Total + (Messages.Total / 2) && Bytes.Taken < Bytes.Total + (Bytes.Total / 2);
}
