using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// Memory for what was received and is neither deleted nor released, of all queues that a server reads: what is with subscribers, held,
/// waiting out a NACK, or settled while its delete does not succeed. A receive is made only when as much is free as it can bring, so that
/// the bound is kept. Safe from any thread.
/// </summary>
/// <param name="max">In bytes.</param>
internal sealed class InFlightMemory(long max)
{
    /// <summary>
    /// What one receive can bring: ten messages of 1 MiB, each as it came and once more as it was unescaped.
    /// </summary>
    public const long PerReceive = 2L * SqsLimits.MaxBatchEntries * SqsLimits.MaxMessageBytes;

    private readonly Lock _lock = new();
    private readonly Queue<TaskCompletionSource> _waiting = new();
    private long _taken;

    /// <summary>Bytes that are taken, with what receives under way have set aside.</summary>
    public long Taken => Volatile.Read(ref _taken);

    /// <summary>Sets aside what one receive can bring, when that is free. To be disposed when what it brought was added.</summary>
    /// <exception cref="OperationCanceledException"><paramref name="stopping"/> fired.</exception>
    public async Task<Reservation> ReserveAsync(CancellationToken stopping)
    {
        TaskCompletionSource turn;
        lock (_lock)
        {
            if (_waiting.Count == 0 && TryTake())
                return new Reservation(this);
            turn = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            _waiting.Enqueue(turn);
        }
        await using (stopping.Register(() => turn.TrySetCanceled(stopping)))
            await turn.Task;
        return new Reservation(this);
    }

    /// <summary>So much was received.</summary>
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
                // Who was cancelled does not need it.
                if (!_waiting.Dequeue().TrySetResult())
                    _taken -= PerReceive;
            }
        }
    }

    private bool TryTake()
    {
        if (_taken + PerReceive > max)
            return false;
        _taken += PerReceive;
        return true;
    }

    internal readonly struct Reservation(InFlightMemory memory) : IDisposable
    {
        public void Dispose() => memory.Free(PerReceive);
    }
}
