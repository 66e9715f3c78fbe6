using PubSubOverWs.Queues;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// All that was received and is neither deleted nor released yet, in the order in which it must be renewed. Safe from any thread.
/// </summary>
/// <param name="visibility">How long the queue hides an SQS message after a receive or a renewal.</param>
/// <param name="maxInFlight">At that many, no further receive is made.</param>
/// <param name="memory">Bounds the bytes of these and of others'. Null: they are not bounded.</param>
internal sealed class Leases(TimeProvider time, TimeSpan visibility, int maxInFlight, InFlightBudget? memory = null)
{
    // Of the rate at which all of them come round in a third of the visibility time-out: leases that became due at once are renewed within
    // 4/5 of another third, so everything is renewed by 0.6 of the time-out.
    private const double FasterThanNeeded = 1.25;

    private readonly Lock _lock = new();
    private readonly LinkedList<Lease> _byRenewal = new();
    private readonly long _renewAfter = (long)(visibility.TotalSeconds / 3 * time.TimestampFrequency);
    private readonly InFlightBudget _memory = memory ?? new InFlightBudget(long.MaxValue);
    private TaskCompletionSource? _room;
    private long _tookAt = time.GetTimestamp();

    /// <summary>How often to call <see cref="TakeDue"/>: often, so that there is little to renew at a time.</summary>
    public TimeSpan RenewalTick { get; } =
        visibility / 300 < TimeSpan.FromMilliseconds(100) ? visibility / 300 : TimeSpan.FromMilliseconds(100);

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

    /// <summary>Adds one that was received, while memory is set aside for that receive.</summary>
    /// <param name="lease">Of these the first of a receive always has room.</param>
    /// <param name="setAside">Of <see cref="InFlightBudget.PerReceive"/>, what others of the same receive have left.</param>
    /// <returns>False: it takes more than that, and there is no memory for it. The caller gives it back to the queue.</returns>
    public bool TryAdd(Lease lease, long setAside)
    {
        lease.SizeCounted = lease.Size;
        var isRoom = _memory.TryAdd(lease.SizeCounted, setAside);
        if (!isRoom)
        {
            lease.SizeCounted = lease.SizeAlone;
            _memory.Add(lease.SizeCounted);
        }
        lock (_lock)
        {
            lease.ReceivedAt = lease.ConfirmedAt = time.GetTimestamp();
            lease.RenewAt = lease.ReceivedAt + _renewAfter;
            lease.Place = _byRenewal.AddLast(lease);
        }
        return isRoom;
    }

    /// <summary>
    /// Its visibility has run out, as far as is known here: this process stood still, or the queue was away. Others may have its messages,
    /// until the queue renews it.
    /// </summary>
    public bool MayHaveLapsed(Lease lease) => time.GetElapsedTime(lease.ConfirmedAt) >= visibility;

    /// <summary>Some of its messages are settled, and their memory is free.</summary>
    public void Shrink(Lease lease)
    {
        long bytes;
        lock (_lock)
        {
            if (lease.Place is null)
                return;
            bytes = lease.SizeCounted - lease.Size;
            lease.SizeCounted -= bytes;
        }
        _memory.Free(bytes);
    }

    public void Remove(IReadOnlyList<Lease> leases)
    {
        TaskCompletionSource? room = null;
        var bytes = 0L;
        lock (_lock)
        {
            foreach (var lease in leases)
            {
                if (lease.Place is null)
                    continue;
                _byRenewal.Remove(lease.Place);
                lease.Place = null;
                bytes += lease.SizeCounted;
            }
            if (_byRenewal.Count < maxInFlight)
            {
                room = _room;
                _room = null;
            }
        }
        _memory.Free(bytes);
        room?.SetResult();
    }

    /// <summary>
    /// The leases to renew now: those whose visibility time-out has run for a third, but not all at once if many were received at the same
    /// moment, as that would delay publishes and deliveries. They are due again after another third, unless their renewal is still under
    /// way by then (<see cref="Renewed"/>).
    /// </summary>
    public IReadOnlyList<Lease> TakeDue()
    {
        var now = time.GetTimestamp();
        var due = new List<Lease>();
        lock (_lock)
        {
            var most = (FasterThanNeeded * _byRenewal.Count * (now - _tookAt) / _renewAfter) + QueueLimits.MaxBatchEntries;
            _tookAt = now;
            while (due.Count < most && _byRenewal.First is { } first && first.Value.RenewAt <= now)
            {
                _byRenewal.RemoveFirst();
                first.Value.RenewAt = now + _renewAfter;
                _byRenewal.AddLast(first);
                if (first.Value.IsBeingRenewed)
                    continue;
                first.Value.IsBeingRenewed = true;
                due.Add(first.Value);
            }
        }
        return due;
    }

    /// <summary>Those that are still here, of leases whose renewal is to be tried again.</summary>
    public IReadOnlyList<Lease> StillHere(IReadOnlyList<Lease> leases)
    {
        lock (_lock)
            return [.. leases.Where(lease => lease.Place is not null)];
    }

    /// <summary>Their renewal is over, however it went.</summary>
    public void Renewed(IReadOnlyList<Lease> leases)
    {
        lock (_lock)
        {
            foreach (var lease in leases)
                lease.IsBeingRenewed = false;
        }
    }

    /// <summary>
    /// Completes when fewer than the allowed number are in flight, and sets aside the memory that one receive may need. To be disposed when
    /// what it brought was added.
    /// </summary>
    /// <exception cref="OperationCanceledException"><paramref name="stopping"/> fired.</exception>
    public async Task<InFlightBudget.Reservation> RoomAsync(CancellationToken stopping)
    {
        await FewerAsync().WaitAsync(stopping);
        return await _memory.ReserveAsync(stopping);
    }

    private Task FewerAsync()
    {
        lock (_lock)
        {
            if (_byRenewal.Count < maxInFlight)
                return Task.CompletedTask;
            return (_room ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
        }
    }
}
