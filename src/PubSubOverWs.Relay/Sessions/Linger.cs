using Microsoft.AspNetCore.Connections.Features;

namespace PubSubOverWs.Relay;

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

    private Linger(IConnectionLifetimeFeature connection, long due) => (_connection, _due) = (new(connection), due);

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
