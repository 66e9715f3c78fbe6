namespace PubSubOverWs.Relay;

/// <summary>
/// The messages that one connection was given and that are not settled, where the broker bounds them (<see cref="IBroker.MostGiven"/>): beside the first never more than half of what is left of
/// the total, of what its user may have, and of what the destination may have. Half, so that one is left even where messages are few and connections many. Safe from any thread.
/// </summary>
internal sealed class Given(FairShare total)
{
    private long _count;
    private bool _refused;

    /// <summary>The share of all connections of its user; null: nobody in particular.</summary>
    public Share? User { get; set; }

    /// <summary>Counts a message that is given. False: there is no room for it, and nothing changed.</summary>
    public bool TryAdd(Share destination)
    {
        if (!HasRoom(destination))
        {
            // First said, then looked at again: whoever makes room does it the other way round.
            Interlocked.Exchange(ref _refused, true);
            if (!HasRoom(destination))
                return false;
        }
        Count(destination, 1);
        return true;
    }

    /// <summary>It was not given after all, for another reason.</summary>
    public void Withdraw(Share destination) => Count(destination, -1);

    /// <summary>A message that was given is settled or given back. True: one was refused, and may be given now.</summary>
    public bool Remove(Share destination)
    {
        Count(destination, -1);
        return TakeRefused();
    }

    /// <summary>True once after one was refused: others may have made room.</summary>
    public bool TakeRefused() => Volatile.Read(ref _refused) && Interlocked.Exchange(ref _refused, false);

    private bool HasRoom(Share destination) =>
        2 * Interlocked.Read(ref _count) < Math.Min(Math.Min(total.Total - total.Taken, destination.Room), User?.Room ?? long.MaxValue);

    private void Count(Share destination, int messages)
    {
        Interlocked.Add(ref _count, messages);
        User?.Count(messages);
        destination.Count(messages);
        total.Take(messages);
    }
}
