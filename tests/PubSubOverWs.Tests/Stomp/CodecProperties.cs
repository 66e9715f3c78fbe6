using FsCheck;
using FsCheck.Fluent;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.Tests.Stomp;

/// <summary>Properties of all frames: random text with many bytes that have a meaning, random bodies.</summary>
public class CodecProperties
{
    private static readonly StompLimits Wide = new() { MaxHeaders = 1_000, MaxHeaderBytes = 1_000_000 };

    private static readonly Gen<string> Text = Gen.OneOf(
            Gen.Elements("\\", ":", "\n", "\r", "\0", "\\n", "\\c", "\\t", " ", "content-length", "receipt", "ü", "日本", "\U0001F600"),
            Gen.Choose(1, 0xD7FF).Select(unit => ((char)unit).ToString()),
            Gen.Choose(0x20, 0x7E).Select(unit => ((char)unit).ToString()))
        .ListOf().Select(string.Concat);

    private static readonly Gen<StompVersion> Version = Gen.Elements(Enum.GetValues<StompVersion>());

    private static readonly Gen<string> Body = Gen.Choose(0, 255).Select(value => (char)value).ListOf().Select(string.Concat);

    private static readonly Gen<(string, string)> Header =
        from name in Text.Where(name => name.Length > 0 && name != "content-length")
        from value in Text
        select (name, value);

    private static readonly Gen<PlainFrame> Frame =
        from command in Gen.Elements(Enum.GetValues<StompCommand>())
        from headers in Header.ListOf()
        from body in Body
        select MayHaveBody(command)
            ? new PlainFrame(command, [.. headers, ("content-length", $"{body.Length}")], body)
            : new PlainFrame(command, headers);

    [Fact]
    public void A_frame_that_was_written_is_read_as_it_was() => Prop.ForAll(
        Frame.ToArbitrary(), Version.ToArbitrary(), (frame, version) =>
        {
            var known = frame.Command == StompCommand.Nack && version == StompVersion.V10
                ? frame with { Command = StompCommand.Ack }
                : frame;
            var stream = new ReceivedBytes(version, Wide);
            stream.Append(known.Write(version));

            Assert.Equal(Carried(known, version), Assert.Single(stream.Frames));
        }).QuickCheckThrowOnFailure();

    /// <summary>The frame as a version can carry it: a space for what it has no escape for.</summary>
    private static PlainFrame Carried(PlainFrame frame, StompVersion version)
    {
        var isPlain = version == StompVersion.V10
            || frame.Command is StompCommand.Connect or StompCommand.Stomp or StompCommand.Connected;
        var lost = isPlain ? "\n\r\0" : version == StompVersion.V11 ? "\r\0" : "\0";
        return frame with
        {
            Headers = [.. frame.Headers.Select(header => (Spaced(header.Name, isPlain ? lost + ":" : lost), Spaced(header.Value, lost)))],
        };
    }

    private static string Spaced(string text, string lost) =>
        new([.. text.Select(unit => lost.Contains(unit, StringComparison.Ordinal) ? ' ' : unit)]);

    private static bool MayHaveBody(StompCommand command) =>
        command is StompCommand.Send or StompCommand.Message or StompCommand.Error;
}
