using System.Globalization;

namespace PubSubOverWs.LoadTest.Bench;

/// <summary>The figures as lines of text, in the same digits everywhere.</summary>
public static class BenchText
{
    /// <summary>Above <see cref="Line(Leg)"/>; CPU is microseconds per message.</summary>
    public const string Heading = "  server      messages/s  server us  queue us  load us";

    public static string Line(Leg leg) => Invariant(
            $"  {leg.Server,-10}  {leg.MessagesPerSecond,10:N0}  {leg.ServerMicroseconds,9:N2}  {Queue(leg),8}  {leg.LoadMicroseconds,7:N2}")
        + (leg.Missing > 0 ? Invariant($"  {leg.Missing} messages did not come back") : "");

    public static string Line(IdleServer server) => Invariant(
        $"  {server.Server,-10}  {server.BytesPerConnection / 1024,6:N1} KiB a connection  {server.ConnectsPerSecond,8:N0} connects/s ({server.FirstConnectsPerSecond:N0} by fresh processes)");

    /// <summary>What the echo moved, and why that size.</summary>
    public static string EchoSize(RelayFigures figures) => figures.MessageBytes is { } message
        ? Invariant($"  frames: SEND {figures.SendBytes} B, MESSAGE {message} B; the echo moves {figures.EchoBytes} B each way, their mean")
        : Invariant($"  frames: the echo moves {figures.EchoBytes} B each way, as a SEND");

    /// <summary>Null: nothing to compare.</summary>
    public static string? Verdict(RelayFigures figures) => figures.MedianRatio is { } median
        ? Invariant($"  server CPU per message, direct / echo: median {median:N2} of {figures.Ratios.Count} pairs ({figures.Ratios.Min():N2} to {figures.Ratios.Max():N2})")
        : null;

    /// <summary>Null: nothing to compare.</summary>
    public static string? Verdict(IdleFigures figures) => figures.Ratio is { } ratio
        ? Invariant($"  memory of an idle connection, direct / echo: {ratio:N2}")
        : null;

    public static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);

    private static string Queue(Leg leg) => leg.QueueMicroseconds is { } queue ? Invariant($"{queue:N2}") : "-";
}
