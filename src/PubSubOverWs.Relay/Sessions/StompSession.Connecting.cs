using PubSubOverWs.Stomp;

namespace PubSubOverWs.Relay;

/// <content>CONNECT, the login, and heart-beats.</content>
internal sealed partial class StompSession
{
    private volatile bool _isLoggingIn;

    private string LateSentence => _isLoggingIn
        ? $"The login was not checked within {Relay.Options.ConnectTimeout.TotalSeconds:0.###} s (Relay:ConnectTimeout), because "
            + "others came before it: try again in some seconds."
        : Input.Count > 0
        ? $"The first frame did not end within {Relay.Options.ConnectTimeout.TotalSeconds:0.###} s (Relay:ConnectTimeout): end CONNECT "
            + "with an empty line and a NUL octet."
        : NoConnect(Relay.Options);

    /// <summary>Said to a client that should have connected by now.</summary>
    public static string NoConnect(RelayOptions options) =>
        $"No CONNECT came within {options.ConnectTimeout.TotalSeconds:0.###} s (Relay:ConnectTimeout): send CONNECT or STOMP first.";

    protected internal override long Look(long now)
    {
        var next = base.Look(now);
        if (IsEnding)
            return next;
        if (_handshake is { } agreed)
            return Math.Min(next, Beat(agreed, now));
        var late = Relay.After(Opened, Relay.Options.ConnectTimeout);
        if (late < now)
            FailAtOnce(LateSentence, null);
        return Math.Min(next, late);
    }

    /// <summary>Sends a heart-beat, or ends the session for want of one.</summary>
    /// <returns>When either is due next.</returns>
    private long Beat(in Handshake agreed, long now)
    {
        var next = TimerWheel.Never;
        if (agreed.Sends > TimeSpan.Zero)
        {
            // A period early rather than a period late. Frames in the outbox serve as heart-beats once the client reads them.
            var (early, time) = (agreed.Sends - 2 * SessionClock.Period, Relay.Time.GetTimestamp());
            next = Relay.After(Connection.SentAt, early);
            if (next < time && Connection.Outbox.IsIdle)
            {
                Connection.Outbox.EnqueueControl(StompAnswers.HeartBeat);
                next = Relay.After(time, early);
            }
            next -= Relay.Awake.Paused;
        }
        if (agreed.Expects == TimeSpan.Zero)
            return next;
        var silent = Relay.After(Connection.LastReceived, 2 * agreed.Expects);
        if (silent < now)
            EndUnread($"No heart-beat came for {2 * agreed.Expects.TotalMilliseconds:0} ms, twice the agreed interval: connect again.");
        return Math.Min(next, silent);
    }

    private void Connect(in StompFrame frame, string? receipt)
    {
        if (_handshake is not null)
            throw new StompException("A second CONNECT: the session is connected already. Open another connection for another session.");
        var agreed = Handshake.Read(frame, Relay.Options.HeartBeat);
        if (Relay.Gate.HasUsers)
            Pending = LogInAsync(agreed, frame.GetString(StompNames.Login), frame.GetString(StompNames.Passcode), receipt);
        else
            Enter(agreed);
    }

    private async Task LogInAsync(Handshake agreed, string? login, string? passcode, string? receipt)
    {
        _isLoggingIn = true;
        var (user, refusal, outcome) = await Relay.Gate.AdmitAsync(login, passcode, bearer, Connection.Address);
        if (outcome is { } known)
            Relay.Meter.AddLogin(known);
        // It may have taken longer than the client is given until CONNECT.
        if (IsEnding)
            return;
        if (user is null)
        {
            Fail(refusal, receipt);
            return;
        }
        _user = user;
        Connection.Given?.User = Relay.Users.GetOrAdd(user.Login, static (_, given) => new GivenShare(given), Relay.Subscriptions.Given!);
        Enter(agreed);
    }

    private void Enter(in Handshake agreed)
    {
        _handshake = agreed;
        if (agreed.Sends > TimeSpan.Zero || agreed.Expects > TimeSpan.Zero)
            Connection.LookAt();
        _reader.Version = agreed.Version;
        Connection.Outbox.EnqueueControl(
            StompAnswers.Connected(agreed.Version, Relay.Broker.Name, Connection.Id, agreed.Sends, agreed.Expects));
    }
}
