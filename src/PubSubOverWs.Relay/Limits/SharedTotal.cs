namespace PubSubOverWs.Relay;

/// <summary>
/// A total that many take from, in messages or bytes, none of whom may have more than is left for the others: dynamic thresholds, as in the buffers of switches (Choudhury and Hahne,
/// 1998; docs/decisions/0118). One alone gets half of it; of K that take all they can each gets one part of K + 1, and one part stays free. Safe from any thread; calls at the same moment may
/// take that many pieces too much.
/// </summary>
internal sealed class SharedTotal(long total)
{
    private long _taken;

    /// <summary>0, or below for a moment, when nothing is left.</summary>
    public long Free => total - Volatile.Read(ref _taken);

    public long Taken => Volatile.Read(ref _taken);

    public void Add(long amount) => Interlocked.Add(ref _taken, amount);
}

/// <summary>What one of them has taken.</summary>
internal sealed class Share(SharedTotal total)
{
    private long _held;

    /// <summary>How much more those within this share may have, of whom again none has more than is left: all that it may have, less what it has.</summary>
    public long Room => total.Free - Volatile.Read(ref _held);

    /// <summary>Takes so much from the total. False: it would be more than is left, and nothing changed.</summary>
    public bool TryTake(long amount)
    {
        if (Volatile.Read(ref _held) + amount > total.Free)
            return false;
        Count(amount);
        total.Add(amount);
        return true;
    }

    public void GiveBack(long amount)
    {
        Count(-amount);
        total.Add(-amount);
    }

    /// <summary>Counts what somebody within this share took from the total.</summary>
    public void Count(long amount) => Interlocked.Add(ref _held, amount);
}
