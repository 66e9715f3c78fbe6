using PubSubOverWs.Queues;
using PubSubOverWs.Relay;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// Which calls to the queue fail at present, and why: failures that readiness cannot find by a call of its own, such as sends that are not
/// allowed. Logged once when a kind of call begins to fail, and once when it works again. Thread-safe.
/// </summary>
internal sealed class QueueHealth(TimeProvider time, ILogger log)
{
    /// <summary>
    /// A failure counts until a call of its kind succeeds, but at most for this time: a server that gets no traffic while it is not ready
    /// would otherwise never become ready again.
    /// </summary>
    public static readonly TimeSpan Memory = TimeSpan.FromSeconds(10);

    // SQS has about 30. What answers in its place may make up any number.
    private const int MaxCodes = 100;

    private readonly Lock _lock = new();
    private readonly Dictionary<(string QueueUrl, QueueCall Kind), Fault> _faults = [];
    private readonly Dictionary<string, FailedCalls> _failures = new(StringComparer.Ordinal);
    private volatile bool _anyFault;

    /// <summary>The sentence of the latest failure that counts; null: none does.</summary>
    public string? Trouble
    {
        get
        {
            if (!_anyFault)
                return null;
            lock (_lock)
                return _faults.Values.Where(Counts).MaxBy(fault => fault.Latest)?.Sentence;
        }
    }

    /// <summary>All failures since the start, by error code.</summary>
    public IReadOnlyDictionary<string, FailedCalls> Failures
    {
        get
        {
            lock (_lock)
                return new Dictionary<string, FailedCalls>(_failures, StringComparer.Ordinal);
        }
    }

    /// <param name="code">Another code is another failure, and logged again; sentences may contain times.</param>
    /// <param name="sentence">What, where, what to do.</param>
    public void Failed(string queueUrl, QueueCall kind, string code, string sentence)
    {
        var now = time.GetTimestamp();
        bool isNew;
        lock (_lock)
        {
            var known = _faults.GetValueOrDefault((queueUrl, kind));
            isNew = known?.Code != code || !Counts(known);
            _faults[(queueUrl, kind)] = new Fault(code, sentence, known?.First ?? now, now);
            _anyFault = true;
            if (_failures.TryGetValue(code, out var before) || _failures.Count < MaxCodes)
                _failures[code] = new FailedCalls((before?.Count ?? 0) + 1, sentence);
        }
        if (isNew)
            log.CallsFail(sentence);
    }

    public void Succeeded(string queueUrl, QueueCall kind)
    {
        // Read by every call; that another thread sees the first failure a little later does no harm.
        if (!_anyFault)
            return;
        Fault? over;
        lock (_lock)
        {
            _faults.Remove((queueUrl, kind), out over);
            _anyFault = _faults.Count > 0;
        }
        if (over is not null)
            log.CallsWork(kind, queueUrl, time.GetElapsedTime(over.First).TotalSeconds);
    }

    /// <summary>Takes note of how the call goes, and returns or throws what it does.</summary>
    public async ValueTask<T> WatchAsync<T>(string queueUrl, QueueCall kind, ValueTask<T> call)
    {
        var result = await AwaitAsync(queueUrl, kind, call);
        Succeeded(queueUrl, kind);
        return result;
    }

    /// <summary>The same for a batch. An entry with a fault of its own says nothing about the queue.</summary>
    public async ValueTask<IReadOnlyList<EntryResult>> WatchBatchAsync(
        string queueUrl, QueueCall kind, ValueTask<IReadOnlyList<EntryResult>> call)
    {
        var results = await AwaitAsync(queueUrl, kind, call);
        var failed = 0;
        EntryFailure? last = null;
        for (var i = 0; i < results.Count; i++)
        {
            if (results[i].Failure is not { SenderFault: false } failure)
                continue;
            failed++;
            last = failure;
        }
        if (last is null)
            Succeeded(queueUrl, kind);
        else
            Failed(queueUrl, kind, last.Code,
                EntriesFailed($"The queue {queueUrl} failed {failed} of {results.Count} entries of a {kind} batch", last));
        return results;
    }

    private async ValueTask<T> AwaitAsync<T>(string queueUrl, QueueCall kind, ValueTask<T> call)
    {
        try
        {
            return await call;
        }
        catch (QueueException failure)
        {
            Failed(queueUrl, kind, failure.Code, failure.Message);
            throw;
        }
        catch (OperationCanceledException cancelled) when (cancelled.InnerException is QueueException failure)
        {
            // The caller did not wait for the next attempt.
            Failed(queueUrl, kind, failure.Code, failure.Message);
            throw;
        }
    }

    private static string EntriesFailed(string what, EntryFailure failure) =>
        $"{what} with {failure.Code} ({failure.Message.Trim().TrimEnd('.')}) until the retries were used up: the fault is on its side, "
            + "so check its state, or wait.";

    private bool Counts(Fault fault) => time.GetElapsedTime(fault.Latest) < Memory;

    private sealed record Fault(string Code, string Sentence, long First, long Latest);
}
