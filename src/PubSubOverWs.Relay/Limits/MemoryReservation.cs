namespace PubSubOverWs.Relay;

/// <summary>The memory that one connection takes of a budget: unacknowledged messages, or its input. Safe from any thread.</summary>
internal sealed class MemoryReservation(MemoryBudget budget)
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
        {
            _held += bytes;
            budget.Hold(_held, ref _reserved);
        }
    }

    public void Remove(long bytes)
    {
        lock (this)
        {
            _held -= bytes;
            budget.Shrink(_held, ref _reserved);
        }
    }

    /// <summary>True once there is room for the bytes that were refused last.</summary>
    public bool ConsumeRefusal()
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

/// <summary>
/// Answers behind those that wait in an outbox: they count with what the client sent, and not in the memory that messages share. Not
/// thread-safe.
/// </summary>
internal sealed class AnswerBacklog(MemoryReservation sent)
{
    private readonly Queue<byte[]> _frames = [];

    public void Add(byte[] frame)
    {
        _frames.Enqueue(frame);
        sent.Add(SizeOf(frame));
    }

    /// <summary>Null: there is none.</summary>
    public byte[]? TakeFirst()
    {
        if (!_frames.TryDequeue(out var frame))
            return null;
        sent.Remove(SizeOf(frame));
        return frame;
    }

    public void Clear()
    {
        sent.Remove(_frames.Sum(SizeOf));
        _frames.Clear();
    }

    private static long SizeOf(byte[] frame) => frame.Length + MemoryBudget.PerMessage;
}
