using PubSubOverWs.Queues;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// Memory for SQS messages that were received and are neither deleted nor released, of all queues that a server reads: given, held,
/// delayed after a NACK, or settled while their delete does not succeed. A receive is made only when <see cref="PerReceive"/> is free, and
/// messages that it brings beyond that go back, so that the bound is kept. Safe from any thread.
/// </summary>
/// <param name="max">In bytes.</param>
internal sealed class InFlightBudget(long max)
{
    /// <summary>
    /// Reserved for one receive: ten messages of 1 MiB, twice, because text in UTF-8 takes twice as much in memory. Envelopes of very
    /// many tiny messages or headers take more, up to 12 times what they are long; each of them alone takes less than this.
    /// </summary>
    public const long PerReceive = 2L * QueueLimits.MaxBatchEntries * QueueLimits.MaxMessageBytes;

    private readonly Lock _lock = new();
    private readonly Queue<TaskCompletionSource<bool>> _waiting = new();
    private long _taken;

    /// <summary>Bytes that are taken, and those that receives under way have set aside.</summary>
    public long Taken => Volatile.Read(ref _taken);

    /// <summary>Sets aside <see cref="PerReceive"/> when that is free. To be disposed when the received messages were added.</summary>
    /// <exception cref="OperationCanceledException"><paramref name="stopping"/> fired.</exception>
    public async Task<Reservation> ReserveAsync(CancellationToken stopping)
    {
        TaskCompletionSource<bool> turn;
        lock (_lock)
        {
            if (_waiting.Count == 0 && TryTake())
                return new Reservation(this, IsScarce);
            turn = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
            _waiting.Enqueue(turn);
        }
        await using (stopping.Register(() => turn.TrySetCanceled(stopping)))
            return new Reservation(this, await turn.Task);
    }

    /// <summary>So much was received. False: it is more than was set aside for it, and that is not free; nothing changed.</summary>
    /// <param name="bytes">Of one lease.</param>
    /// <param name="setAside">Of <see cref="PerReceive"/>, which is still set aside, what others of the same receive have left.</param>
    public bool TryAdd(long bytes, long setAside)
    {
        lock (_lock)
        {
            if (bytes > setAside && _taken - PerReceive + bytes > max)
                return false;
            _taken += bytes;
            return true;
        }
    }

    /// <summary>So much is here, whether it is free or not.</summary>
    public void Add(long bytes)
    {
        lock (_lock)
            _taken += bytes;
    }

    /// <summary>So much is gone.</summary>
    public void Free(long bytes)
    {
        lock (_lock)
        {
            _taken -= bytes;
            while (_waiting.Count > 0 && TryTake())
            {
                // A receive that was cancelled does not need it.
                if (!_waiting.Dequeue().TrySetResult(IsScarce))
                    _taken -= PerReceive;
            }
        }
    }

    // Within the lock.
    private bool IsScarce => _waiting.Count > 0 || _taken + PerReceive > max;

    private bool TryTake()
    {
        if (_taken + PerReceive > max)
            return false;
        _taken += PerReceive;
        return true;
    }

    internal readonly struct Reservation(InFlightBudget memory, bool isScarce) : IDisposable
    {
        /// <summary>Other receives wait for such, or will have to: it is not to be kept for long.</summary>
        public bool IsScarce => isScarce;

        public void Dispose() => memory.Free(PerReceive);
    }
}
