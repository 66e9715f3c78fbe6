using System.Collections.Concurrent;
using System.Net.WebSockets;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Options;

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

/// <summary>
/// Asks the clients to leave before the web server stops, which would wait for WebSockets of the default front end, and cut others.
/// Publishes under way are answered first; the session clock cuts clients that do not leave within <see cref="RelayOptions.CloseTimeout"/>
/// after that, and this class cuts the rest after half of the shutdown time-out, as the other half is the broker's.
/// </summary>
internal sealed class ConnectionsShutdown(Connections connections, RelayContext relay, IOptions<HostOptions> host) : IHostedLifecycleService
{
    public async Task StoppingAsync(CancellationToken cancellationToken)
    {
        var ended = connections.StopAsync();
        try
        {
            await ended.WaitAsync(host.Value.ShutdownTimeout / 2, relay.Awake, cancellationToken);
        }
        catch (TimeoutException)
        {
            connections.AbortAll();
            // Their unsettled messages are given back when this is over, while the broker still runs.
            await ended.WaitAsync(cancellationToken);
        }
    }

    public Task StartingAsync(CancellationToken cancellationToken) => Task.CompletedTask;
    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;
    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;
    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
    public Task StoppedAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}

/// <summary>A server that stops is not ready, while it still answers.</summary>
internal sealed class StoppingReadiness(Connections connections) : IHealthCheck
{
    public Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default) =>
        Task.FromResult(connections.IsStopping ? HealthCheckResult.Unhealthy("The server is stopping.") : HealthCheckResult.Healthy());
}

/// <summary>
/// Cuts a connection that is not closed within <see cref="RelayOptions.CloseTimeout"/> after its session has ended: the web server,
/// if the connection is its own, closes it when the client has taken what was written last, and waits for that without end
/// (docs/decisions/0190).
/// </summary>
internal sealed class Linger : TimerWheel.Member
{
    private readonly long _due;

    // Most connections are closed by then, and need no memory meanwhile. That one is closed nothing tells: what the web server calls closed
    // is that no more comes from the client.
    private readonly WeakReference<IConnectionLifetimeFeature> _connection;

    private Linger(IConnectionLifetimeFeature connection, long due)
    {
        _connection = new(connection);
        _due = due;
    }

    /// <summary>To be called when the session has ended; does nothing to a connection that is closed in time.</summary>
    public static void Begin(RelayContext relay, IConnectionLifetimeFeature connection)
    {
        var due = relay.After(relay.Now, relay.Options.CloseTimeout);
        relay.Wheel.Schedule(new Linger(connection, due), due);
    }

    protected internal override long Look(long now)
    {
        if (now <= _due)
            return _due;
        if (_connection.TryGetTarget(out var connection))
            connection.Abort();
        return TimerWheel.Never;
    }
}
