namespace PubSubOverWs.Queues;

/// <summary>
/// Sends entries to the queue in batches, without a task for each. A full batch leaves at once. A smaller one waits for the call under
/// way, and lingers if it may; otherwise batches would stay small until the CPU is used up. Safe from any thread. It does not bound how
/// much waits: its owner does.
/// </summary>
public sealed class BatchLoop<T>
{
    private readonly Func<IReadOnlyList<T>, Task> _call;
    private readonly Lock _lock = new();
    private readonly Queue<T> _waiting = new();
    private int _weight;
    private readonly Task[] _runs;
    private readonly Stack<int> _idle;
    private readonly long[] _calledAt;
    private readonly HashSet<int> _slow = [];
    private ITimer? _watch;
    private Task _failed = Task.CompletedTask;
    private bool _completed;

    /// <param name="callsAtOnce">The largest number of calls under way.</param>
    /// <param name="call">
    /// Sends a batch, and handles what the queue refuses. If it throws nevertheless, the other batches go on, and
    /// <see cref="IdleAsync"/> throws that exception.
    /// </param>
    public BatchLoop(int callsAtOnce, Func<IReadOnlyList<T>, Task> call)
    {
        _call = call;
        _runs = new Task[callsAtOnce];
        Array.Fill(_runs, Task.CompletedTask);
        _calledAt = new long[callsAtOnce];
        _idle = new Stack<int>(Enumerable.Range(0, callsAtOnce));
    }

    /// <summary>Entries of a full batch, at least 1.</summary>
    public int MaxEntries { get; init; } = QueueLimits.MaxBatchEntries;

    /// <summary>
    /// With fewer calls under way waiting entries may leave, however few they are; with more, only full batches do. At least 1.
    /// </summary>
    public int PartialCalls { get; init; } = 1;

    /// <summary>
    /// For how many of <see cref="MaxEntries"/> an entry counts: 1 to all of them, and the same whenever it is asked. Null: 1.
    /// </summary>
    public Func<T, int>? WeightOf { get; init; }

    /// <summary>The most bytes of a batch; a single entry may exceed it.</summary>
    public int MaxBytes { get; init; } = QueueLimits.MaxBatchBytes;

    /// <summary>The bytes of an entry: a batch has at most <see cref="MaxBytes"/>. Null: bytes are not bounded.</summary>
    public Func<T, int>? SizeOf { get; init; }

    /// <summary>Completes when less than a full batch has waited long enough. Null: it leaves at once.</summary>
    public Func<Task>? Linger { get; init; }

    /// <summary>
    /// The clock for calls that take longer than <see cref="Patience"/>: entries that wait behind such a call leave without it, if another
    /// call may be made. Null: they wait for the call to end.
    /// </summary>
    public TimeProvider? Time { get; init; }

    /// <summary>How long less than a full batch waits for a call under way.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(1);

    /// <exception cref="ObjectDisposedException">After <see cref="CompleteAsync"/>.</exception>
    public void Add(T entry)
    {
        lock (_lock)
        {
            ObjectDisposedException.ThrowIf(_completed, this);
            Enqueue(entry);
            Leave();
        }
    }

    /// <exception cref="ObjectDisposedException">After <see cref="CompleteAsync"/>.</exception>
    public void AddAll(IEnumerable<T> entries)
    {
        ArgumentNullException.ThrowIfNull(entries);
        lock (_lock)
        {
            ObjectDisposedException.ThrowIf(_completed, this);
            foreach (var entry in entries)
            {
                Enqueue(entry);
                if (_waiting.Count % MaxEntries == 0)
                    Leave();
            }
            Leave();
        }
    }

    /// <summary>Completes when everything added so far has been sent.</summary>
    public Task IdleAsync()
    {
        lock (_lock)
            return Task.WhenAll([.. _runs, _failed]);
    }

    /// <summary>Takes no more entries, and completes when all that were taken have been sent.</summary>
    public async Task CompleteAsync()
    {
        lock (_lock)
            _completed = true;
        try
        {
            // While these were waited for, another may have begun beside a slow one.
            do
                await IdleAsync();
            while (IsUnderWay());
        }
        finally
        {
            lock (_lock)
                EndWatch();
        }
    }

    private bool IsUnderWay()
    {
        lock (_lock)
            return _idle.Count < _runs.Length;
    }

    private void Enqueue(T entry)
    {
        _waiting.Enqueue(entry);
        _weight += Weight(entry);
    }

    private int Weight(T entry) => WeightOf?.Invoke(entry) ?? 1;

    private void Leave()
    {
        if (_waiting.Count == 0 || _idle.Count == 0)
            return;
        if (!MayLeave(others: _runs.Length - _idle.Count - _slow.Count))
        {
            Watch();
            return;
        }
        // On another thread: a caller that adds one entry often adds several in a row, and they should leave together. No token: entries
        // that were taken are sent.
        var run = _idle.Pop();
        if (_runs[run].IsFaulted)
            _failed = _runs[run];
        _runs[run] = Task.Run(() => RunAsync(run), CancellationToken.None);
    }

    // While something waits behind calls.
    private void Watch()
    {
        if (Time is { } time)
            _watch ??= time.CreateTimer(_ => LookForSlowCalls(time), null, Patience, Patience);
    }

    private void LookForSlowCalls(TimeProvider time)
    {
        lock (_lock)
        {
            for (var run = 0; run < _calledAt.Length; run++)
            {
                if (_calledAt[run] > 0 && time.GetElapsedTime(_calledAt[run]) >= Patience)
                    _slow.Add(run);
            }
            if (_waiting.Count == 0 || _idle.Count == 0)
                EndWatch();
            else
                Leave();
        }
    }

    private void EndWatch()
    {
        _watch?.Dispose();
        _watch = null;
    }

    // With no other call under way it always may leave, so no entry is ever left behind.
    private bool MayLeave(int others) => _weight >= (others < PartialCalls ? 1 : MaxEntries);

    private async Task RunAsync(int run)
    {
        try
        {
            await LingerAsync();
            while (Take(run) is { } batch)
            {
                await _call(batch);
                await LingerAsync();
            }
        }
        catch
        {
            GiveUp(run);
            throw;
        }
    }

    // The owner loses the current batch; other batches go on.
    private void GiveUp(int run)
    {
        lock (_lock)
        {
            _calledAt[run] = 0;
            _slow.Remove(run);
            _failed = _runs[run];
            _idle.Push(run);
            Leave();
        }
    }

    // Full batches that come meanwhile leave with another run.
    private async Task LingerAsync()
    {
        if (Linger is not null && IsPartial())
            await Linger();
    }

    private bool IsPartial()
    {
        lock (_lock)
            return _waiting.Count > 0 && _weight < MaxEntries;
    }

    private List<T>? Take(int run)
    {
        lock (_lock)
        {
            _calledAt[run] = 0;
            _slow.Remove(run);
            if (!MayLeave(others: _runs.Length - _idle.Count - 1 - _slow.Count))
            {
                _idle.Push(run);
                if (_waiting.Count > 0)
                    Watch();
                return null;
            }
            _calledAt[run] = Time?.GetTimestamp() ?? 0;
            var batch = new List<T>(Math.Min(MaxEntries, _waiting.Count));
            var bytes = 0L;
            var weight = 0;
            while (_waiting.TryPeek(out var next))
            {
                bytes += SizeOf?.Invoke(next) ?? 0;
                weight += Weight(next);
                if ((bytes > MaxBytes || weight > MaxEntries) && batch.Count > 0)
                    break;
                batch.Add(_waiting.Dequeue());
                _weight -= Weight(next);
            }
            return batch;
        }
    }
}
