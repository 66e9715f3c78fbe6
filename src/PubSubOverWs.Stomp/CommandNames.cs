namespace PubSubOverWs.Stomp;

/// <summary>Commands as they stand on the wire: upper case, and only so.</summary>
internal static class CommandNames
{
    /// <summary>Octets of UNSUBSCRIBE.</summary>
    public const int LongestName = 11;

    /// <summary>False: no command of any version.</summary>
    public static bool TryParse(ReadOnlySpan<byte> name, out StompCommand command)
    {
        foreach (var octet in ByFrequency)
        {
            command = (StompCommand)octet;
            if (name.SequenceEqual(Name(command)))
                return true;
        }
        command = default;
        return false;
    }

    /// <summary>The command in ASCII.</summary>
    public static ReadOnlySpan<byte> Name(StompCommand command) => command switch
    {
        StompCommand.Send => "SEND"u8,
        StompCommand.Message => "MESSAGE"u8,
        StompCommand.Ack => "ACK"u8,
        StompCommand.Receipt => "RECEIPT"u8,
        StompCommand.Connect => "CONNECT"u8,
        StompCommand.Stomp => "STOMP"u8,
        StompCommand.Connected => "CONNECTED"u8,
        StompCommand.Subscribe => "SUBSCRIBE"u8,
        StompCommand.Unsubscribe => "UNSUBSCRIBE"u8,
        StompCommand.Nack => "NACK"u8,
        StompCommand.Begin => "BEGIN"u8,
        StompCommand.Commit => "COMMIT"u8,
        StompCommand.Abort => "ABORT"u8,
        StompCommand.Disconnect => "DISCONNECT"u8,
        StompCommand.Error => "ERROR"u8,
        _ => throw new ArgumentOutOfRangeException(nameof(command), command, "Not a STOMP command."),
    };

    /// <summary>"Only the SEND, MESSAGE, and ERROR frames MAY have a body", says the specification.</summary>
    public static bool MayHaveBody(StompCommand command) =>
        command is StompCommand.Send or StompCommand.Message or StompCommand.Error;

    /// <summary>The frames that open a session are read before a version is agreed on, so they have no escapes in any version.</summary>
    public static bool HasEscapes(StompCommand command, StompVersion version) =>
        version != StompVersion.V10 && command is not (StompCommand.Connect or StompCommand.Stomp or StompCommand.Connected);

    // Octets, because a table of enum values is copied to the heap at each use in an unoptimised build.
    private static ReadOnlySpan<byte> ByFrequency =>
    [
        (byte)StompCommand.Send, (byte)StompCommand.Message, (byte)StompCommand.Ack, (byte)StompCommand.Receipt,
        (byte)StompCommand.Connect, (byte)StompCommand.Connected, (byte)StompCommand.Subscribe, (byte)StompCommand.Unsubscribe,
        (byte)StompCommand.Nack, (byte)StompCommand.Begin, (byte)StompCommand.Commit, (byte)StompCommand.Abort,
        (byte)StompCommand.Disconnect, (byte)StompCommand.Stomp, (byte)StompCommand.Error,
    ];
}
