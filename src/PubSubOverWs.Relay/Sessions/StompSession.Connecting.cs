using System.Globalization;
using System.Text;
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
            var early = agreed.Sends - 2 * SessionClock.Period;
            var time = Relay.Time.GetTimestamp();
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
        Connection.Unsettled?.User = Relay.Users.GetOrAdd(
            user.Login, static (_, budget) => new SharedReservation(budget), Relay.Subscriptions.UnsettledBudget!);
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

/// <summary>The values that CONNECT and CONNECTED agree on.</summary>
/// <param name="Sends">How often the server sends at least something; zero: it need not.</param>
/// <param name="Expects">How often it expects something from the client; zero: it does not.</param>
internal readonly record struct Handshake(StompVersion Version, TimeSpan Sends, TimeSpan Expects)
{
    public const string KnownVersions = "1.0,1.1,1.2";

    /// <exception cref="StompException">No common version, or a malformed header.</exception>
    public static Handshake Read(in StompFrame connect, TimeSpan heartBeat)
    {
        var version = ReadVersion(connect);
        if (version == StompVersion.V10 || !connect.TryGet(StompNames.HeartBeat, out var offered))
            return new Handshake(version, TimeSpan.Zero, TimeSpan.Zero);
        var parts = Encoding.UTF8.GetString(offered).Split(',');
        if (parts.Length != 2 || !TryParse(parts[0], out var clientSends) || !TryParse(parts[1], out var clientExpects))
            throw new StompException(
                $"The heart-beat header '{Encoding.UTF8.GetString(offered)}' is not two numbers of milliseconds, such as 10000,10000.");
        return new Handshake(version, Agree(heartBeat, clientExpects), Agree(heartBeat, clientSends));
    }

    private static TimeSpan Agree(TimeSpan ours, TimeSpan theirs) =>
        ours == TimeSpan.Zero || theirs == TimeSpan.Zero ? TimeSpan.Zero : ours > theirs ? ours : theirs;

    // Some clients write a space after the comma, or a number beyond 31 bits: more than 25 days count as that.
    private static bool TryParse(ReadOnlySpan<char> text, out TimeSpan interval)
    {
        var digits = text.Trim(' ');
        var isInt = int.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out var milliseconds);
        interval = TimeSpan.FromMilliseconds(isInt ? milliseconds : int.MaxValue);
        return isInt || (!digits.IsEmpty && !digits.ContainsAnyExceptInRange('0', '9'));
    }

    private static StompVersion ReadVersion(in StompFrame connect)
    {
        if (!connect.TryGet(StompNames.AcceptVersion, out var accepted))
            return StompVersion.V10;
        var versions = Encoding.UTF8.GetString(accepted).Split(',', StringSplitOptions.TrimEntries);
        if (versions.Contains("1.2"))
            return StompVersion.V12;
        if (versions.Contains("1.1"))
            return StompVersion.V11;
        if (versions.Contains("1.0"))
            return StompVersion.V10;
        throw new NoCommonVersionException(
            $"No common STOMP version: the client accepts '{string.Join(',', versions)}', this server speaks {KnownVersions}.");
    }
}

/// <summary>CONNECT asks for versions of which the server knows none; its ERROR lists those it knows.</summary>
internal sealed class NoCommonVersionException(string message) : Exception(message);
