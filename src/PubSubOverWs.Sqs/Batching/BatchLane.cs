namespace PubSubOverWs.Sqs;

/// <summary>One kind of call: a bounded queue of entries, and up to so many runs that carry them away in batches.</summary>
internal sealed class BatchLane<TEntry> : IAsyncDisposable
{
    private readonly Lock _lock = new();
    private readonly Queue<Waiting> _waiting = new();
    private readonly SemaphoreSlim _room;
    private readonly Func<TEntry, int> _sizeOf;
    private readonly Func<IReadOnlyList<TEntry>, ValueTask<IReadOnlyList<EntryResult>>> _call;
    private readonly int _partialCalls;
    private readonly Task[] _runs;
    private readonly Stack<int> _idle;
    private bool _completed;

    public BatchLane(
        SqsBatcherOptions options, Func<TEntry, int> sizeOf, Func<IReadOnlyList<TEntry>, ValueTask<IReadOnlyList<EntryResult>>> call)
    {
        _room = new SemaphoreSlim(options.MaxWaiting);
        _sizeOf = sizeOf;
        _call = call;
        _partialCalls = options.PartialCallsPerKind;
        _runs = new Task[options.MaxCallsPerKind];
        Array.Fill(_runs, Task.CompletedTask);
        _idle = new Stack<int>(Enumerable.Range(0, _runs.Length));
    }

    public async Task<EntryResult> AddAsync(TEntry entry, CancellationToken cancellationToken)
    {
        await _room.WaitAsync(cancellationToken);
        var waiting = new Waiting(entry);
        lock (_lock)
        {
            if (_completed)
            {
                _room.Release();
                throw new ObjectDisposedException(nameof(SqsBatcher));
            }
            _waiting.Enqueue(waiting);
            if (_idle.Count > 0 && MayLeave(others: _runs.Length - _idle.Count))
            {
                // On another thread: it is a caller that adds several in a row, and they shall go together.
                var run = _idle.Pop();
                _runs[run] = Task.Run(() => RunAsync(run), CancellationToken.None);
            }
        }
        return await waiting.Outcome.Task;
    }

    // The semaphore stays: callers that still wait for room get it, one after the other, and see that it is too late.
    public async ValueTask DisposeAsync()
    {
        Task[] runs;
        lock (_lock)
        {
            _completed = true;
            runs = [.. _runs];
        }
        await Task.WhenAll(runs);
    }

    /// <summary>Whether what waits is enough for a call beside so many others. With none it always is, so nothing is ever left behind.</summary>
    private bool MayLeave(int others) => _waiting.Count >= (others < _partialCalls ? 1 : SqsLimits.MaxBatchEntries);

    private async Task RunAsync(int run)
    {
        var batch = new List<Waiting>(SqsLimits.MaxBatchEntries);
        while (TryTake(run, batch))
        {
            _room.Release(batch.Count);
            await CallAsync(batch);
            batch.Clear();
        }
    }

    private bool TryTake(int run, List<Waiting> batch)
    {
        lock (_lock)
        {
            if (!MayLeave(others: _runs.Length - _idle.Count - 1))
            {
                _idle.Push(run);
                return false;
            }
            long bytes = 0;
            while (batch.Count < SqsLimits.MaxBatchEntries && _waiting.TryPeek(out var next))
            {
                bytes += _sizeOf(next.Entry);
                if (bytes > SqsLimits.MaxBatchBytes && batch.Count > 0)
                    break;
                batch.Add(_waiting.Dequeue());
            }
            return true;
        }
    }

    private async Task CallAsync(List<Waiting> batch)
    {
        try
        {
            var results = await _call(batch.ConvertAll(waiting => waiting.Entry));
            for (var i = 0; i < batch.Count; i++)
                batch[i].Outcome.TrySetResult(results[i]);
        }
        catch (Exception failure)
        {
            // Whatever it was, it belongs to the callers that wait for these entries.
            foreach (var waiting in batch)
                waiting.Outcome.TrySetException(failure);
        }
    }

    private sealed class Waiting(TEntry entry)
    {
        public TEntry Entry { get; } = entry;

        public TaskCompletionSource<EntryResult> Outcome { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
    }
}
