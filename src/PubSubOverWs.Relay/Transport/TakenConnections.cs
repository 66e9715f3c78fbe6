namespace PubSubOverWs.Relay;

/// <summary>
/// The connections of a port that the web server has handed over (<see cref="LeanConnection.TryTake"/>), and which it would neither wait
/// for nor cut when it closes the port.
/// </summary>
internal sealed class TakenConnections(TimeProvider time)
{
    // Kestrel waits as long for those that it has cut.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(1);

    private readonly HashSet<LeanConnection> _open = [];
    private readonly TaskCompletionSource _allClosed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private bool _isEnding;

    public void Enter(LeanConnection connection)
    {
        lock (_open)
            _open.Add(connection);
    }

    public void Leave(LeanConnection connection)
    {
        lock (_open)
        {
            _open.Remove(connection);
            EndIfLast();
        }
    }

    /// <summary>
    /// To be called when the port is closed. Sessions were told to end before, if the server stops: they have a second to close their
    /// connections. What is open then is cut; after a change of the settings, which closes ports only, that is all.
    /// </summary>
    public async Task EndAsync()
    {
        lock (_open)
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
        if (_isEnding && _open.Count == 0)
            _allClosed.TrySetResult();
    }

    private LeanConnection[] Open()
    {
        lock (_open)
            return [.. _open];
    }
}
