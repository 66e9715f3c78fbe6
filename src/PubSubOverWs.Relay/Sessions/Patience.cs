namespace PubSubOverWs.Relay;

/// <summary>
/// How long a connection may do nothing. Checked when the session clock looks at the session only, so that messages cost nothing extra
/// (docs/decisions/0209).
/// </summary>
internal sealed class Patience(RelayContext relay, Connection connection)
{
    private bool _isOver;
    private long _taken;
    private long _tookAt;
    private long? _pingedAt;
    private long _readsThen;

    /// <summary>True, once: something has waited for the client all this time, and it took nothing.</summary>
    /// <param name="next">Becomes the time at which it may be true, if that is earlier.</param>
    public bool IsOverWithReader(long now, ref long next)
    {
        var max = relay.Options.SlowConsumerTimeout;
        if (_isOver || max == TimeSpan.Zero || connection.WaitsSince is not { } since)
            return false;
        if (HasTaken(max, now, ref next))
            _tookAt = now;
        if (!IsPast(Math.Max(since, _tookAt), max, now, ref next))
            return false;
        _isOver = true;
        relay.Meter.AddSlow();
        relay.Log.Stuck(connection.Id, max.TotalSeconds);
        return true;
    }

    /// <summary>Nothing passed in either direction for as long as may be.</summary>
    /// <inheritdoc cref="IsOverWithReader"/>
    public bool IsOverWithIdle(long now, ref long next) =>
        relay.Options.IdleTimeout is { Ticks: > 0 } max
            && IsPast(Math.Max(connection.LastSent, connection.LastReceived), max, now, ref next);

    /// <summary>
    /// The client sent nothing since a PING, not even the answer. Sends a PING to one that has sent nothing for <see
    /// cref="RelayOptions.KeepAlive"/>.
    /// </summary>
    /// <param name="isUnread">Its socket is not read, so an answer would not be seen.</param>
    /// <param name="next">Becomes the time at which it may be true, if that is earlier.</param>
    public bool IsGone(bool isUnread, long now, ref long next)
    {
        if (relay.Options.KeepAlive is not { Ticks: > 0 } every)
            return false;
        if (isUnread)
            _pingedAt = null;
        if (_pingedAt is { } pinged && connection.Stream.Reads == _readsThen)
        {
            // The PING may wait behind messages that the client takes slowly, here or in the system's buffer. One that takes nothing is
            // for SlowConsumerTimeout.
            if (!connection.Outbox.IsIdle || HasTaken(relay.Options.KeepAliveTimeout, now, ref next))
                _pingedAt = pinged = now;
            return IsPast(pinged, relay.Options.KeepAliveTimeout, now, ref next);
        }
        if (!IsPast(Math.Max(connection.LastReceived, _pingedAt ?? 0), every, now, ref next))
            return false;
        _pingedAt = now;
        _readsThen = connection.Stream.Reads;
        HasTaken(relay.Options.KeepAliveTimeout, now, ref next);
        connection.Outbox.EnqueueControl(FrameBatch.Ping);
        return IsPast(now, relay.Options.KeepAliveTimeout, now, ref next);
    }

    /// <summary>The client's system has taken more than at the last look.</summary>
    private bool HasTaken(TimeSpan max, long now, ref long next)
    {
        if (connection.Stream.Taken is not { } taken)
            return false;
        next = Math.Min(next, relay.After(now, max / Connection.LooksInTimeOut));
        if (taken == _taken)
            return false;
        _taken = taken;
        return true;
    }

    private bool IsPast(long since, TimeSpan max, long now, ref long next)
    {
        var due = relay.After(since, max);
        if (due < now)
            return true;
        next = Math.Min(next, due);
        return false;
    }
}
