namespace PubSubOverWs.Relay;

/// <summary>
/// The messages that one connection was given and that are not settled, and the memory that they keep, where the broker bounds them
/// (<see cref="IBroker.MostGiven"/>): beside the first never more than half of what is left of the total, of what its user may have, and of
/// what the destination may have. Half, so that one is left even where there is little and connections are many. Who has nothing is given
/// something beyond that too (<see cref="GivenTotal"/>). Safe from any thread.
/// </summary>
internal sealed class Given(GivenTotal total)
{
    private long _messages;
    private long _bytes;
    private bool _refused;

    /// <summary>The share of all connections of its user; null: nobody in particular.</summary>
    public GivenShare? User { get; set; }

    /// <summary>Counts a message that is given. False: there is no room for it, and nothing changed.</summary>
    /// <param name="destination">Where.</param>
    /// <param name="kept">What it keeps in memory; null: nothing that is bounded.</param>
    public bool TryAdd(GivenShare destination, KeptMemory? kept)
    {
        if (!HasRoom(destination, kept))
        {
            // First said, then looked at again: whoever makes room does it the other way round.
            Interlocked.Exchange(ref _refused, true);
            if (!HasRoom(destination, kept))
                return false;
        }
        Count(destination, 1);
        kept?.Enter(this, destination);
        return true;
    }

    /// <summary>It was not given after all, for another reason.</summary>
    public void Withdraw(GivenShare destination, KeptMemory? kept)
    {
        Count(destination, -1);
        kept?.Leave(this, destination);
    }

    /// <summary>A message that was given is settled or given back. True: one was refused, and may be given now.</summary>
    public bool Remove(GivenShare destination, KeptMemory? kept)
    {
        Withdraw(destination, kept);
        return TakeRefused();
    }

    /// <summary>True once after one was refused: others may have made room.</summary>
    public bool TakeRefused() => Volatile.Read(ref _refused) && Interlocked.Exchange(ref _refused, false);

    /// <summary>Memory that its messages keep counts for it, or (below 0) no more.</summary>
    public void CountBytes(GivenShare destination, long bytes)
    {
        Interlocked.Add(ref _bytes, bytes);
        User?.Bytes.Count(bytes);
        destination.Bytes.Count(bytes);
        total.Bytes.Take(bytes);
    }

    private bool HasRoom(GivenShare destination, KeptMemory? kept) =>
        HasRoomForMessages(destination) && (kept is null || HasRoomForBytes(destination, kept));

    private bool HasRoomForMessages(GivenShare destination)
    {
        var held = Interlocked.Read(ref _messages);
        return 2 * held < Left(total.Messages, destination.Messages, User?.Messages) + (held == 0 ? total.MessagesForFirsts : 0);
    }

    private bool HasRoomForBytes(GivenShare destination, KeptMemory kept)
    {
        var held = Interlocked.Read(ref _bytes);
        var forFirsts = held == 0 && kept.Bytes <= total.MostBytesOfFirst ? total.BytesForFirsts : 0;
        // What counts already for one of those who keep it takes nothing more.
        return 2 * held < Left(total.Bytes, destination.Bytes, User?.Bytes) + forFirsts || kept.IsCounted;
    }

    private static long Left(FairShare total, Share destination, Share? user) =>
        Math.Min(Math.Min(total.Total - total.Taken, destination.Room), user?.Room ?? long.MaxValue);

    private void Count(GivenShare destination, int messages)
    {
        Interlocked.Add(ref _messages, messages);
        User?.Messages.Count(messages);
        destination.Messages.Count(messages);
        total.Messages.Take(messages);
    }
}
