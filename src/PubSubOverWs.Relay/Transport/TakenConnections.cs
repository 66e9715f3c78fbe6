namespace PubSubOverWs.Relay;

/// <summary>
/// The connections of a port that the web server has handed over (<see cref="LeanConnection.TryTake"/>), and which it would neither wait
/// for nor cut when it closes the port.
/// </summary>
/// <param name="time">For <see cref="EndAsync"/>.</param>
internal sealed class TakenConnections(TimeProvider time)
{
    // Kestrel waits as long for those that it has cut.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(1);

    private readonly Lock _lock = new();
    private readonly TaskCompletionSource _allClosed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private LeanConnection? _first;
    private bool _isEnding;

    public void Enter(LeanConnection connection)
    {
        lock (_lock)
        {
            (connection.Next, _first) = (_first, connection);
            if (connection.Next is { } next)
                next.Previous = connection;
        }
    }

    public void Leave(LeanConnection connection)
    {
        lock (_lock)
        {
            if (connection.Previous is { } previous)
                previous.Next = connection.Next;
            else
                _first = connection.Next;
            if (connection.Next is { } next)
                next.Previous = connection.Previous;
            EndIfLast();
        }
    }

    /// <summary>
    /// To be called when the port is closed. Sessions were told to end before, if the server stops: they have a second to close their
    /// connections. What is open then is cut; after a change of the settings, which closes ports only, that is all.
    /// </summary>
    public async Task EndAsync()
    {
        lock (_lock)
        {
            _isEnding = true;
            EndIfLast();
        }
        try
        {
            await _allClosed.Task.WaitAsync(Patience, time);
        }
        catch (TimeoutException)
        {
            foreach (var connection in Open())
                connection.Abort();
        }
    }

    private void EndIfLast()
    {
        if (_isEnding && _first is null)
            _allClosed.TrySetResult();
    }

    private List<LeanConnection> Open()
    {
        List<LeanConnection> open = [];
        lock (_lock)
        {
            for (var one = _first; one is not null; one = one.Next)
                open.Add(one);
        }
        return open;
    }
}
