namespace PubSubOverWs.LoadTest.Workloads;

/// <summary>
/// One client or user of a workload, as an iteration drives it: it connects, takes part, sends no more, and leaves.
/// </summary>
public interface IParticipant : IDisposable
{
    /// <summary>Connected and subscribed.</summary>
    bool IsIn { get; }

    /// <summary>Connects, logs in, subscribes, and begins to listen. Failures are kept, not thrown.</summary>
    /// <param name="time">For time-outs and waits.</param>
    Task EnterAsync(TimeProvider time);

    /// <summary>
    /// All deadlines are over: it sends nothing more. Completes when nothing that it sent is still on its way.
    /// </summary>
    Task StopSendingAsync();

    /// <summary>Closes the connections; <see cref="EndAsync"/> waits until the server has closed them.</summary>
    void Leave();

    /// <summary>Completes when all its connections have ended.</summary>
    Task EndAsync();

    /// <summary>Ends its connections at once, from any thread.</summary>
    void Abort();
}

/// <summary>Completes when every participant has all it waits for, or has given up.</summary>
public sealed class Countdown
{
    private readonly TaskCompletionSource _reached = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _left;

    public Countdown(int count)
    {
        _left = count;
        if (count == 0)
            _reached.SetResult();
    }

    public Task Reached => _reached.Task;

    public int Left => Volatile.Read(ref _left);

    /// <summary>Once by each.</summary>
    public void Signal()
    {
        if (Interlocked.Decrement(ref _left) == 0)
            _reached.SetResult();
    }
}
