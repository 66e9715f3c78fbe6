namespace PubSubOverWs.LoadTest.Harness.Workloads;

/// <summary>One client or user of a workload: an iteration has it connect, take part, stop sending, and leave.</summary>
public interface IParticipant : IDisposable
{
    /// <summary>Connected and subscribed.</summary>
    bool IsIn { get; }

    /// <summary>Connects, logs in, subscribes, and begins to listen. Failures are kept, not thrown.</summary>
    Task EnterAsync(TimeProvider time);

    /// <summary>After the last deadline: it sends nothing more. Completes when everything that it sent was answered.</summary>
    Task StopSendingAsync();

    /// <summary>Closes its connections; <see cref="EndAsync"/> waits until the server has closed them.</summary>
    void Leave();

    /// <summary>Completes when all its connections have ended.</summary>
    Task EndAsync();

    /// <summary>Ends its connections at once, from any thread.</summary>
    void Abort();
}

/// <summary>Completes when every participant has everything that it waits for, or has given up.</summary>
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

    /// <summary>Called once by each participant.</summary>
    public void Signal()
    {
        if (Interlocked.Decrement(ref _left) == 0)
            _reached.SetResult();
    }
}
