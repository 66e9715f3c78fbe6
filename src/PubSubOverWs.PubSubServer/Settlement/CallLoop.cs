using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// Carries entries to the queue in batches of up to ten, without a task for each entry. A full batch leaves at once. What is less waits for the
/// call under way, and lingers if it may, or the batches would stay small until the CPU is used up. The entries are bounded by what is in
/// flight (<see cref="SqsBrokerOptions.MaxInFlight"/>).
/// </summary>
internal sealed class CallLoop<T>
{
    private readonly Func<IReadOnlyList<T>, Task> _call;
    private readonly Func<Task>? _linger;
    private readonly Lock _lock = new();
    private readonly Queue<T> _waiting = new();
    private readonly Task[] _runs;
    private readonly Stack<int> _idle;

    /// <param name="callsAtOnce">At most so many calls are under way.</param>
    /// <param name="call">Carries up to ten entries away; what fails is its own affair.</param>
    /// <param name="linger">Completes when less than a full batch has waited long enough. Null: it leaves at once.</param>
    public CallLoop(int callsAtOnce, Func<IReadOnlyList<T>, Task> call, Func<Task>? linger = null)
    {
        _call = call;
        _linger = linger;
        _runs = new Task[callsAtOnce];
        Array.Fill(_runs, Task.CompletedTask);
        _idle = new Stack<int>(Enumerable.Range(0, callsAtOnce));
    }

    public void Add(T entry)
    {
        lock (_lock)
        {
            _waiting.Enqueue(entry);
            if (_idle.Count == 0 || !MayLeave(others: _runs.Length - _idle.Count))
                return;
            // On another thread: who adds one often adds several in a row, and they shall go together.
            var run = _idle.Pop();
            _runs[run] = Task.Run(() => RunAsync(run), CancellationToken.None);
        }
    }

    /// <summary>Completes when all that was added so far has been carried away.</summary>
    public Task IdleAsync()
    {
        lock (_lock)
            return Task.WhenAll(_runs);
    }

    // With no other call under way it always may, so nothing is ever left behind.
    private bool MayLeave(int others) => _waiting.Count >= (others == 0 ? 1 : SqsLimits.MaxBatchEntries);

    private async Task RunAsync(int run)
    {
        await LingerAsync();
        while (Take(run) is { } batch)
        {
            await _call(batch);
            await LingerAsync();
        }
    }

    // Full batches that come meanwhile leave with another run.
    private async Task LingerAsync()
    {
        if (_linger is not null && IsPartial())
            await _linger();
    }

    private bool IsPartial()
    {
        lock (_lock)
            return _waiting.Count is > 0 and < SqsLimits.MaxBatchEntries;
    }

    private List<T>? Take(int run)
    {
        lock (_lock)
        {
            if (!MayLeave(others: _runs.Length - _idle.Count - 1))
            {
                _idle.Push(run);
                return null;
            }
            var batch = new List<T>(SqsLimits.MaxBatchEntries);
            while (batch.Count < SqsLimits.MaxBatchEntries && _waiting.TryDequeue(out var entry))
                batch.Add(entry);
            return batch;
        }
    }
}
