namespace PubSubOverWs.Relay;

/// <summary>
/// Counts the connections of a port that the web server has handed over (<see cref="LeanConnection.TryTake"/>), for which it would not wait
/// when it stops.
/// </summary>
/// <param name="time">For <see cref="EndAsync"/>.</param>
internal sealed class TakenConnections(TimeProvider time)
{
    // Kestrel waits as long for those that it has cut.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(1);

    private readonly TaskCompletionSource _allClosed = new(TaskCreationOptions.RunContinuationsAsynchronously);

    // One more than are open, until the port is closed.
    private int _open = 1;

    public void Enter() => Interlocked.Increment(ref _open);

    public void Leave()
    {
        if (Interlocked.Decrement(ref _open) == 0)
            _allClosed.TrySetResult();
    }

    /// <summary>To be called once, when the port is closed and all sessions were told to end: waits until the last has closed its
    /// connection, at most a second.</summary>
    public async Task EndAsync()
    {
        Leave();
        try
        {
            await _allClosed.Task.WaitAsync(Patience, time);
        }
        catch (TimeoutException)
        {
            // The process ends, and its sockets with it.
        }
    }
}
