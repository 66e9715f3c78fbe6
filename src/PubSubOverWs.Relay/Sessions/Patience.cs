namespace PubSubOverWs.Relay;

/// <summary>
/// How long a connection may do nothing. Checked at each tick of the session clock only, so that messages cost nothing extra
/// (docs/decisions/0005).
/// </summary>
internal sealed class Patience(RelayContext relay, Connection connection)
{
    private long _sentThen;
    private long _stuckSince;
    private bool _isOver;

    /// <summary>True, once: something has waited for the client all this time, and it took nothing.</summary>
    public bool IsOverWithReader()
    {
        var (now, most) = (relay.Time.GetTimestamp(), relay.Options.SlowConsumerTimeout);
        if (connection.Outbox.IsIdle || connection.LastSent != _sentThen)
            (_sentThen, _stuckSince) = (connection.LastSent, now);
        if (_isOver || most == TimeSpan.Zero || relay.Time.GetElapsedTime(_stuckSince, now) <= most)
            return false;
        _isOver = true;
        relay.Meter.AddSlow();
        relay.Log.Stuck(connection.Id, most.TotalSeconds);
        return true;
    }

    /// <summary>Nothing passed in either direction for as long as may be.</summary>
    public bool IsOverWithIdle() =>
        relay.Options.IdleTimeout is { Ticks: > 0 } most
            && relay.Time.GetElapsedTime(Math.Max(connection.LastSent, connection.LastReceived)) > most;
}
