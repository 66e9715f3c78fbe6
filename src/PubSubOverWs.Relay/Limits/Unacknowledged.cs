namespace PubSubOverWs.Relay;

/// <summary>What one connection was given and has not acknowledged, over all its subscriptions: its share of <see cref="RelayOptions.UnacknowledgedBytesTotal"/>. Safe from any thread.</summary>
internal sealed class Unacknowledged(MemoryBudget budget)
{
    private readonly Lock _gate = new();
    private long _held;
    private long _reserved;
    private bool _refused;

    /// <summary>Counts a message that is given. False: there is no room for it, and nothing changed.</summary>
    public bool TryAdd(Message message)
    {
        lock (_gate)
        {
            var held = _held + Bytes(message);
            if (!budget.TryHold(held, ref _reserved))
            {
                _refused = true;
                return false;
            }
            _held = held;
            return true;
        }
    }

    public void Remove(Message message)
    {
        lock (_gate)
        {
            _held -= Bytes(message);
            budget.Shrink(_held, ref _reserved);
        }
    }

    /// <summary>True once there is room again after there was none.</summary>
    public bool TakeRoomAgain()
    {
        lock (_gate)
        {
            if (!_refused || !budget.HasRoom)
                return false;
            _refused = false;
            return true;
        }
    }

    private static long Bytes(Message message) => message.Size + MemoryBudget.PerMessage;
}
