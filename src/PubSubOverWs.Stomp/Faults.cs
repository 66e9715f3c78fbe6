namespace PubSubOverWs.Stomp;

/// <summary>Errors of frames: what happened, to which part, and what to do.</summary>
internal static class Faults
{
    public static StompException UnknownCommand(ReadOnlySpan<byte> line) => new(
        $"Unknown STOMP command '{Excerpt(line)}': a frame starts with a command in upper case on a line of its own, such as SEND.");

    public static string NoColon(StompCommand command, ReadOnlySpan<byte> line) =>
        $"{HeaderLine(command, line)} has no colon: write it as name:value.";

    public static string NoName(StompCommand command, ReadOnlySpan<byte> line) =>
        $"{HeaderLine(command, line)} has no name before its colon: write it as name:value.";

    public static string TooManyHeaders(StompCommand command, int limit) =>
        $"The {Name(command)} frame has more than {limit} headers: send fewer.";

    public static string HeadTooLong(StompCommand command, int limit) =>
        $"The headers of the {Name(command)} frame are longer than {limit} bytes: send fewer or shorter headers.";

    public static string NulInHead(StompCommand command) =>
        $"The {Name(command)} frame has a NUL before the blank line that ends its headers: end the headers with a blank line.";

    public static string NotUtf8(StompCommand command) => $"The headers of the {Name(command)} frame are not UTF-8: encode them as UTF-8.";

    public static string UndefinedEscape(StompCommand command, ReadOnlySpan<byte> text, StompVersion version) =>
        $"The {Name(command)} frame has an undefined escape in '{Excerpt(text)}': "
        + (version == StompVersion.V12 ? @"STOMP 1.2 defines \r, \n, \c and \\ only." : @"STOMP 1.1 defines \n, \c and \\ only.");

    public static string BadContentLength(StompCommand command, ReadOnlySpan<byte> value) =>
        $"The content-length '{Excerpt(value)}' of the {Name(command)} frame is not one number of octets: "
        + "send it once, in digits, or leave it out.";

    public static string BodyTooLong(StompCommand command, int limit) =>
        $"The body of the {Name(command)} frame is longer than {limit} bytes: send a shorter body or raise MaxMessageBytes.";

    public static string NoBodyAllowed(StompCommand command) =>
        $"The {Name(command)} frame has a body: only SEND, MESSAGE and ERROR can have one.";

    public static string NoNulAfterBody(StompCommand command, int length) =>
        $"The {Name(command)} frame has no NUL after the {length} octets that its content-length names: "
        + "count the octets of the body, not its characters.";

    // The second line of a passcode would be such a line.
    private static string HeaderLine(StompCommand command, ReadOnlySpan<byte> line) => command is StompCommand.Connect or StompCommand.Stomp
        ? $"A header line of the {Name(command)} frame"
        : $"The header line '{Excerpt(line)}' of the {Name(command)} frame";

    private static string Name(StompCommand command) => System.Text.Encoding.ASCII.GetString(CommandNames.Name(command));

    /// <summary>The start of what a peer sent, fit for a log line and a header: printable ASCII, the rest as dots.</summary>
    private static string Excerpt(ReadOnlySpan<byte> bytes)
    {
        const int longest = 40;
        Span<char> shown = stackalloc char[Math.Min(bytes.Length, longest)];
        for (var i = 0; i < shown.Length; i++)
            shown[i] = bytes[i] is >= 0x20 and < 0x7F ? (char)bytes[i] : '.';
        return bytes.Length > longest ? string.Concat(shown, "...") : shown.ToString();
    }
}
