namespace PubSubOverWs.Relay;

/// <summary>Messages that the connections of one user, or the subscribers of one destination, were given and have not settled.</summary>
internal sealed class SharedReservation(UnsettledBudget budget)
{
    public Reservation Messages { get; } = new(budget.Messages);
    public Reservation Bytes { get; } = new(budget.Bytes);

    public void Count(int messages, long bytes)
    {
        Messages.Count(messages);
        Bytes.Count(bytes);
    }
}

/// <summary>
/// The messages that one connection was given and that are not settled, and the memory that they keep, where the broker bounds them
/// (<see cref="IBroker.UnsettledBudget"/>): after the first message never more than half of the rest of the budget, of its user's share and
/// of the destination's share. Half, so that some is left even where there is little and connections are many. A connection that has
/// nothing is given a message beyond that too. Safe from any thread.
/// </summary>
internal sealed class UnsettledReservation(UnsettledBudget budget)
{
    private long _messages;
    private long _bytes;
    private bool _refused;

    /// <summary>Of all connections of its user; null: the client is anonymous.</summary>
    public SharedReservation? User { get; set; }

    /// <summary>Counts a message that is given. False: there is no room for it, and nothing changed.</summary>
    /// <param name="bytes">Its memory (<see cref="Delivery.Memory"/>).</param>
    public bool TryAdd(SharedReservation destination, long bytes)
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
    public void Withdraw(SharedReservation destination, long bytes) => Count(destination, -1, -bytes);

    /// <summary>A message that was given is settled or given back. True: one was refused, and may be given now.</summary>
    public bool Remove(SharedReservation destination, long bytes)
    {
        Withdraw(destination, bytes);
        return ConsumeRefusal();
    }

    /// <summary>True once after one was refused: others may have made room.</summary>
    public bool ConsumeRefusal() => Volatile.Read(ref _refused) && Interlocked.Exchange(ref _refused, false);

    private bool HasRoom(SharedReservation destination)
    {
        var messages = Interlocked.Read(ref _messages);
        var bytes = Interlocked.Read(ref _bytes);
        return (messages == 0 && budget.HasRoomForFirst)
            || (2 * messages < Left(budget.Messages, destination.Messages, User?.Messages)
                && 2 * bytes < Left(budget.Bytes, destination.Bytes, User?.Bytes));
    }

    private static long Left(Budget budget, Reservation destination, Reservation? user) =>
        Math.Min(Math.Min(budget.Free, destination.Room), user?.Room ?? long.MaxValue);

    private void Count(SharedReservation destination, int messages, long bytes)
    {
        Interlocked.Add(ref _messages, messages);
        Interlocked.Add(ref _bytes, bytes);
        User?.Count(messages, bytes);
        destination.Count(messages, bytes);
        budget.Messages.Take(messages);
        budget.Bytes.Take(bytes);
    }
}
