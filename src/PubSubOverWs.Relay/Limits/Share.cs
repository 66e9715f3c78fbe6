namespace PubSubOverWs.Relay;

/// <summary>
/// The amount that one holder of a <see cref="FairShare"/> has, counted from any thread. Calls at the same moment may take that many pieces
/// too much.
/// </summary>
internal sealed class Share(FairShare total)
{
    private long _held;

    /// <summary>
    /// How much more those within this share may have together: as much as is free, less what they have. Below 0: others came, and they
    /// have more than they may by now.
    /// </summary>
    public long Room => total.Total - total.Taken - Volatile.Read(ref _held);

    /// <summary>Takes so much from the total. False: that is beyond the share, and nothing changed.</summary>
    public bool TryTake(long amount)
    {
        if (!total.TryTake(Volatile.Read(ref _held), amount))
            return false;
        Count(amount);
        return true;
    }

    public void GiveBack(long amount)
    {
        Count(-amount);
        total.GiveBack(amount);
    }

    /// <summary>Counts pieces that a holder within this share took from the total.</summary>
    public void Count(long amount) => Interlocked.Add(ref _held, amount);
}
