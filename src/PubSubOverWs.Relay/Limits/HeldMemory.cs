namespace PubSubOverWs.Relay;

/// <summary>The memory that one connection takes of a budget: unacknowledged messages, or its input. Safe from any thread.</summary>
/// <remarks>Its own lock, as others of which each connection has one: 40 bytes less for each, and nobody else locks them.</remarks>
internal sealed class HeldMemory(MemoryBudget budget)
{
    private long _held;
    private long _reserved;
    private long _refused;

    /// <summary>It has more than its share, because others came, or because it took memory without a check.</summary>
    public bool IsOver => budget.IsOver(Volatile.Read(ref _reserved));

    /// <summary>Bytes were refused, and have found no room since.</summary>
    public bool HasRefused => Volatile.Read(ref _refused) != 0;

    /// <summary>Counts so many bytes more. False: there is no room for them, and nothing changed.</summary>
    public bool TryAdd(long bytes)
    {
        lock (this)
        {
            if (!budget.TryHold(_held + bytes, ref _reserved))
            {
                _refused = bytes;
                return false;
            }
            _held += bytes;
            return true;
        }
    }

    /// <summary>Counts memory that cannot be refused.</summary>
    public void Add(long bytes)
    {
        lock (this)
            budget.Hold(_held += bytes, ref _reserved);
    }

    public void Remove(long bytes)
    {
        lock (this)
            budget.Shrink(_held -= bytes, ref _reserved);
    }

    /// <summary>True once there is room for the bytes that were refused last.</summary>
    public bool TakeRoomAgain()
    {
        lock (this)
        {
            if (_refused == 0 || !budget.CouldHold(_held + _refused, _reserved))
                return false;
            _refused = 0;
            return true;
        }
    }
}
