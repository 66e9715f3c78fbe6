namespace PubSubOverWs.LoadTest.Experiments.Transports.Load;

/// <summary>Measurements that one client has not taken yet. Thread-safe, with one taker at a time.</summary>
public sealed class Inbox(string client, int channel)
{
    /// <summary>17 min at 4 a second.</summary>
    public const int MaxMeasurements = 4096;

    private readonly Lock _lock = new();
    private List<byte[]> _kept = [];
    private TaskCompletionSource? _wanted;
    private bool _closed;

    public string Client => client;

    public int Channel => channel;

    /// <summary>The client has left, or was dropped.</summary>
    public bool IsClosed
    {
        get
        {
            lock (_lock)
                return _closed;
        }
    }

    /// <summary>Never waits. False: it is full.</summary>
    public bool TryAdd(byte[] measurement)
    {
        TaskCompletionSource? wanted;
        lock (_lock)
        {
            if (_kept.Count == MaxMeasurements)
                return false;
            _kept.Add(measurement);
            wanted = _wanted;
            _wanted = null;
        }
        wanted?.SetResult();
        return true;
    }

    /// <summary>Replaces what it has.</summary>
    /// <param name="measurements">In order, no more than <see cref="MaxMeasurements"/>.</param>
    public void Fill(List<byte[]> measurements)
    {
        TaskCompletionSource? wanted = null;
        lock (_lock)
        {
            _kept = measurements;
            if (_kept.Count > 0)
                (wanted, _wanted) = (_wanted, null);
        }
        wanted?.SetResult();
    }

    public void Close()
    {
        TaskCompletionSource? wanted;
        lock (_lock)
        {
            _closed = true;
            wanted = _wanted;
            _wanted = null;
        }
        wanted?.SetResult();
    }

    /// <summary>
    /// All that was not taken yet, at once if there is something, else after a wait. Empty: nothing came, or it was closed.
    /// </summary>
    /// <param name="wait">0: it does not wait; infinite: until something comes.</param>
    public async ValueTask<IReadOnlyList<byte[]>> TakeAsync(TimeSpan wait, TimeProvider time, CancellationToken cancellationToken)
    {
        if (wait != TimeSpan.Zero && Wanted() is { } wanted)
            await wanted.WaitAsync(wait, time, cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        cancellationToken.ThrowIfCancellationRequested();
        lock (_lock)
        {
            _wanted = null;
            if (_kept.Count == 0)
                return [];
            var taken = _kept;
            _kept = [];
            return taken;
        }
    }

    // Null: there is something, or nothing will come.
    private Task? Wanted()
    {
        lock (_lock)
            return _kept.Count > 0 || _closed
                ? null
                : (_wanted = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
    }
}
