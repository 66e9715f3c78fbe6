namespace PubSubOverWs.LoadTest.Workloads.OneWay;

/// <summary>Tells when everybody has what they wait for, or never will.</summary>
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
