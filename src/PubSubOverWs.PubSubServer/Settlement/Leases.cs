namespace PubSubOverWs.PubSubServer;

/// <summary>All that was received and is neither deleted nor released yet, in the order in which it must be renewed. Safe from any thread.</summary>
internal sealed class Leases(TimeProvider time, TimeSpan visibility, int maxInFlight)
{
    private readonly Lock _lock = new();
    private readonly LinkedList<Lease> _byRenewal = new();
    private readonly long _renewAfter = (long)(visibility.TotalSeconds / 3 * time.TimestampFrequency);
    private TaskCompletionSource? _room;

    /// <summary>How often to call <see cref="TakeDue"/>, so that nothing is renewed much later than at a third of the visibility time-out.</summary>
    public TimeSpan RenewalTick { get; } = visibility / 30 < TimeSpan.FromSeconds(1) ? visibility / 30 : TimeSpan.FromSeconds(1);

    public int Count
    {
        get
        {
            lock (_lock)
                return _byRenewal.Count;
        }
    }

    /// <summary>The unsettled messages of all leases, and their body bytes.</summary>
    public (long Messages, long Bytes) Unsettled
    {
        get
        {
            var all = All();
            return (all.Sum(lease => (long)lease.Unsettled.Messages), all.Sum(lease => lease.Unsettled.Bytes));
        }
    }

    public IReadOnlyList<Lease> All()
    {
        lock (_lock)
            return [.. _byRenewal];
    }

    public void Add(IReadOnlyList<Lease> leases)
    {
        var renewAt = time.GetTimestamp() + _renewAfter;
        lock (_lock)
        {
            foreach (var lease in leases)
            {
                lease.RenewAt = renewAt;
                lease.Place = _byRenewal.AddLast(lease);
            }
        }
    }

    public void Remove(IReadOnlyList<Lease> leases)
    {
        TaskCompletionSource? room = null;
        lock (_lock)
        {
            foreach (var lease in leases)
            {
                if (lease.Place is not null)
                    _byRenewal.Remove(lease.Place);
                lease.Place = null;
            }
            if (_byRenewal.Count < maxInFlight)
                (room, _room) = (_room, null);
        }
        room?.SetResult();
    }

    /// <summary>The leases that are to be renewed now. They are due again after another third of the visibility time-out.</summary>
    public IReadOnlyList<Lease> TakeDue()
    {
        var now = time.GetTimestamp();
        var due = new List<Lease>();
        lock (_lock)
        {
            while (_byRenewal.First is { } first && first.Value.RenewAt <= now)
            {
                _byRenewal.RemoveFirst();
                first.Value.RenewAt = now + _renewAfter;
                _byRenewal.AddLast(first);
                due.Add(first.Value);
            }
        }
        return due;
    }

    /// <summary>Completes when fewer than the allowed number are in flight.</summary>
    public Task RoomAsync()
    {
        lock (_lock)
        {
            if (_byRenewal.Count < maxInFlight)
                return Task.CompletedTask;
            return (_room ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
        }
    }
}
