using System.Collections.Concurrent;
using System.Net.WebSockets;
using Microsoft.AspNetCore.Connections.Features;

namespace PubSubOverWs.Relay;

/// <summary>The sessions that are open on this server.</summary>
internal sealed class Connections(RelayContext relay)
{
    private readonly ConcurrentDictionary<Session, Session> _sessions = [];
    private readonly TaskCompletionSource _allEnded = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private volatile bool _isStopping;

    /// <summary>The server stops: new connections are refused.</summary>
    public bool IsStopping => _isStopping;

    /// <summary>Runs a session, and those that go on with its connection, to the end.</summary>
    /// <param name="session">The first. Its connection was counted, and is disposed.</param>
    /// <param name="lifetime">Of what the connection stands on.</param>
    public async Task RunAsync(Session session, IConnectionLifetimeFeature lifetime)
    {
        relay.Meter.AddOpened();
        _sessions[session] = session;
        try
        {
            while (true)
            {
                // It may have come too late for StopAsync to see it.
                var stop = _isStopping ? StopAsync(session) : null;
                var next = await session.RunAsync();
                if (stop is not null)
                    await stop;
                if (next is null)
                    return;
                // Before the other is taken out, so that the connection is in the table all the time.
                _sessions[next] = next;
                _sessions.TryRemove(session, out _);
                session = next;
            }
        }
        finally
        {
            _sessions.TryRemove(session, out _);
            EndIfLast();
            relay.Meter.AddClosed();
            relay.Counts.Leave(session.Connection.Address);
            Linger.Begin(relay, lifetime);
            session.Connection.Dispose();
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
        List<Task> ends = [_allEnded.Task];
        foreach (var (session, _) in _sessions)
            ends.Add(StopAsync(session));
        // Those that end from now on see that they may be the last; here is seen that all others have.
        Interlocked.MemoryBarrier();
        EndIfLast();
        return Task.WhenAll(ends);
    }

    private void EndIfLast()
    {
        if (_isStopping && _sessions.IsEmpty)
            _allEnded.TrySetResult();
    }

    private static Task StopAsync(Session session) =>
        session.StopAsync(WebSocketCloseStatus.EndpointUnavailable, "The server is stopping.");
}
