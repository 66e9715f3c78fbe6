using System.Text;
using PubSubOverWs.Stomp;
using PubSubOverWs.Tests.Stomp;

namespace PubSubOverWs.Tests.Fuzz;

/// <summary>Frames of STOMP by chance.</summary>
internal static class FrameDraw
{
    private static readonly StompCommand[] Commands = Enum.GetValues<StompCommand>();
    private static readonly StompVersion[] Versions = Enum.GetValues<StompVersion>();

    /// <summary>Characters that end, separate or escape something.</summary>
    public static ReadOnlySpan<byte> Meaningful => "\n\r\0:\\0nc"u8;

    public static StompVersion Version(Draw draw) => draw.Of<StompVersion>(Versions);

    /// <summary>Well-formed ones, mutated ones, or any bytes.</summary>
    public static byte[] Bytes(Draw draw, StompVersion version, int frames)
    {
        if (draw.OneIn(8))
            return [.. draw.OneIn(2) ? "SEND\n"u8 : [], .. draw.Bytes(draw.Below(300))];
        using var stream = new MemoryStream();
        for (; frames > 0; frames--)
        {
            stream.Write(draw.OneIn(4) ? "\r\n\n"u8 : []);
            stream.Write(Frame(draw, version).Write(version));
        }
        return draw.OneIn(2) ? stream.ToArray() : draw.Mutate(stream.ToArray(), Meaningful);
    }

    private static PlainFrame Frame(Draw draw, StompVersion version)
    {
        var command = draw.Of<StompCommand>(Commands);
        if (command == StompCommand.Nack && version == StompVersion.V10)
            command = StompCommand.Ack;
        List<(string, string)> headers = [];
        for (var left = draw.Below(6); left > 0; left--)
            headers.Add((Text(draw, least: 1), Text(draw, least: 0)));
        if (command is not (StompCommand.Send or StompCommand.Message or StompCommand.Error))
            return new PlainFrame(command, headers);
        // A body of its own length may have any byte.
        var hasLength = draw.OneIn(2);
        var body = Encoding.Latin1.GetString(draw.Bytes(draw.OneIn(20) ? draw.Below(3_000) : draw.Below(30)));
        return hasLength
            ? new PlainFrame(command, [.. headers, ("content-length", $"{body.Length}")], body)
            : new PlainFrame(command, headers, body.Replace("\0", "", StringComparison.Ordinal));
    }

    private static string Text(Draw draw, int least)
    {
        if (draw.OneIn(5))
            return draw.Of("receipt", "destination", "id", "content-length", "12", "transaction", "heart-beat");
        var text = new StringBuilder();
        for (var left = draw.Between(least, 8); left > 0; left--)
            text.Append(
                draw.OneIn(4) ? draw.Of("\\", ":", "\n", "\r", "ü", "日", "\U0001F600", " ") : ((char)draw.Between('a', 'z')).ToString());
        return text.ToString();
    }
}
