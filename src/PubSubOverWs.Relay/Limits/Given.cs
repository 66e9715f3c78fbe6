namespace PubSubOverWs.Relay;

/// <summary>
/// The messages that one connection was given and that are not settled, and the memory that they keep, where the broker bounds them
/// (<see cref="IBroker.MostGiven"/>): after the first message never more than half of the rest of the total, of its user's share and of the
/// destination's share. Half, so that some is left even where there is little and connections are many. A connection that has nothing is
/// given a message beyond that too (<see cref="GivenTotal"/>). Safe from any thread.
/// </summary>
internal sealed class Given(GivenTotal total)
{
    private long _messages;
    private long _bytes;
    private bool _refused;

    /// <summary>The share of all connections of its user; null: the client is anonymous.</summary>
    public GivenShare? User { get; set; }

    /// <summary>Counts a message that is given. False: there is no room for it, and nothing changed.</summary>
    /// <param name="destination">Where.</param>
    /// <param name="bytes">Its memory (<see cref="Delivery.Memory"/>).</param>
    public bool TryAdd(GivenShare destination, long bytes)
    {
        if (!HasRoom(destination))
        {
            // Noted first, then checked again: the thread that makes room checks in the other order, so one of the two sees the other.
            Interlocked.Exchange(ref _refused, true);
            if (!HasRoom(destination))
                return false;
        }
        Count(destination, 1, bytes);
        return true;
    }

    /// <summary>It was not given after all, for another reason.</summary>
    public void Withdraw(GivenShare destination, long bytes) => Count(destination, -1, -bytes);

    /// <summary>A message that was given is settled or given back. True: one was refused, and may be given now.</summary>
    public bool Remove(GivenShare destination, long bytes)
    {
        Withdraw(destination, bytes);
        return TakeRefused();
    }

    /// <summary>True once after one was refused: others may have made room.</summary>
    public bool TakeRefused() => Volatile.Read(ref _refused) && Interlocked.Exchange(ref _refused, false);

    private bool HasRoom(GivenShare destination)
    {
        var (messages, bytes) = (Interlocked.Read(ref _messages), Interlocked.Read(ref _bytes));
        return (messages == 0 && total.HasRoomForFirst)
            || (2 * messages < Left(total.Messages, destination.Messages, User?.Messages)
                && 2 * bytes < Left(total.Bytes, destination.Bytes, User?.Bytes));
    }

    private static long Left(FairShare total, Share destination, Share? user) =>
        Math.Min(Math.Min(total.Total - total.Taken, destination.Room), user?.Room ?? long.MaxValue);

    private void Count(GivenShare destination, int messages, long bytes)
    {
        Interlocked.Add(ref _messages, messages);
        Interlocked.Add(ref _bytes, bytes);
        User?.Count(messages, bytes);
        destination.Count(messages, bytes);
        total.Messages.Take(messages);
        total.Bytes.Take(bytes);
    }
}
