namespace PubSubOverWs.Relay;

/// <summary>
/// A client that offered no sub-protocol. The beginning of its first message tells whether it speaks STOMP or uses the raw relay; the
/// session for that then takes over the connection, and later messages do not pass here.
/// </summary>
/// <param name="bearer">The user whose token the handshake showed; null: it showed none.</param>
/// <param name="rawRefusal">Why the client may not use the raw relay; null: it may.</param>
internal sealed class OpeningSession(RelayContext relay, Connection connection, User? bearer, string? rawRefusal)
    : Session(relay, connection)
{
    protected internal override long Look(long now)
    {
        var next = base.Look(now);
        // A client of the raw relay may be silent for as long as it likes; one that has to log in may not.
        if (rawRefusal is null || IsEnding)
            return next;
        var late = Relay.After(Opened, Relay.Options.ConnectTimeout);
        if (late < now)
            EndWith(StompSession.NoConnect(Relay.Options));
        return Math.Min(next, late);
    }

    protected override bool TryAct(bool endOfMessage)
    {
        // A message that is over, or too large already, is not going to become a CONNECT.
        var isStomp = IsStomp(Input.Span) ?? (endOfMessage || Input.Count > Relay.Options.MaxMessageBytes ? false : null);
        if (isStomp is true)
            HandOver(() => new StompSession(Relay, Connection, bearer), endOfMessage);
        else if (isStomp is false && rawRefusal is null)
            HandOver(() => new RawSession(Relay, Connection), endOfMessage);
        else if (isStomp is false)
            EndWith(rawRefusal!);
        return false;
    }

    // Null: more must come before it can be told. Line ends may stand before the first frame, as they may between frames.
    private static bool? IsStomp(ReadOnlySpan<byte> first)
    {
        var start = first.IndexOfAnyExcept((byte)'\r', (byte)'\n');
        if (start < 0)
            return null;
        if (first[..start].Count((byte)'\r') != first[..start].Count("\r\n"u8))
            return false;
        var line = first[start..];
        return line[0] == (byte)'C' ? IsLine(line, "CONNECT"u8) : IsLine(line, "STOMP"u8);
    }

    private static bool? IsLine(ReadOnlySpan<byte> line, ReadOnlySpan<byte> command)
    {
        if (line.Length <= command.Length)
            return command.StartsWith(line) ? null : false;
        return !line.StartsWith(command) ? false : line[command.Length..] switch
        {
            [(byte)'\n', ..] or [(byte)'\r', (byte)'\n', ..] => true,
            [(byte)'\r'] => null,
            _ => false,
        };
    }
}
