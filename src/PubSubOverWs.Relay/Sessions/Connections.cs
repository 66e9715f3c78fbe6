using System.Collections.Concurrent;
using System.Net.WebSockets;

namespace PubSubOverWs.Relay;

/// <summary>The sessions that are open on this server.</summary>
internal sealed class Connections
{
    private readonly ConcurrentDictionary<Session, Task> _sessions = [];
    private volatile bool _isStopping;

    /// <summary>The server stops: new connections are refused.</summary>
    public bool IsStopping => _isStopping;

    /// <summary>Runs a session, and those that go on with its connection, to the end.</summary>
    public async Task RunAsync(Session session)
    {
        var ended = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _sessions[session] = ended.Task;
        try
        {
            while (await RunOneAsync(session) is { } next)
            {
                // Before the other is taken out, so that the connection is in the table all the time.
                _sessions[next] = ended.Task;
                _sessions.TryRemove(session, out _);
                session = next;
            }
        }
        finally
        {
            _sessions.TryRemove(session, out _);
            ended.SetResult();
        }
    }

    public void AbortAll()
    {
        foreach (var (session, _) in _sessions)
            session.Abort();
    }

    /// <summary>Asks every client to leave, and completes when the last has.</summary>
    public Task StopAsync()
    {
        _isStopping = true;
        List<Task> ends = [];
        foreach (var (session, end) in _sessions)
        {
            ends.Add(StopAsync(session));
            ends.Add(end);
        }
        return Task.WhenAll(ends);
    }

    private async Task<Session?> RunOneAsync(Session session)
    {
        // It may have come too late for StopAsync to see it.
        var stop = _isStopping ? StopAsync(session) : Task.CompletedTask;
        var next = await session.RunAsync();
        await stop;
        return next;
    }

    private static Task StopAsync(Session session) =>
        session.StopAsync(WebSocketCloseStatus.EndpointUnavailable, "The server is stopping.");
}
