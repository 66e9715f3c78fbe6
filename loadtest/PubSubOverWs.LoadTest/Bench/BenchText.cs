using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.LoadTest.Bench;

/// <summary>The figures as lines of text, in the same digits everywhere.</summary>
public static class BenchText
{
    /// <summary>Above <see cref="Line(Leg)"/>; CPU is microseconds per message.</summary>
    public const string Heading = "  server      messages/s  server us  queue us  load us";

    /// <summary>
    /// Above <see cref="Line(QueueLeg)"/>. A core is one of the queue's process; what stands under client is what a message in and out
    /// takes of this one; what stands under paced is at the steady rate.
    /// </summary>
    public const string QueueHeading =
        "  server                  client     sends/s   takes/s  through/s  sends/core s  takes/core s  client us  client B  paced p50 "
            + "ms  p99 ms       us";

    private static readonly (string What, Func<QueueLeg, double> Of)[] OfClients =
    [
        ("messages/s through", leg => leg.ThroughPerSecond),
        ("CPU of the client per message", leg => leg.ClientMicroseconds),
        ("allocated by the client per message", leg => leg.ClientBytes),
        ("paced p50", leg => leg.Paced.P50),
        ("paced p99", leg => leg.Paced.P99),
        ("paced CPU of the client per message", leg => leg.Paced.Microseconds),
    ];

    /// <summary>For example <c>1 pair</c>, <c>10 pairs</c>.</summary>
    public static string Pairs(int count) => Invariant($"{count} {(count == 1 ? "pair" : "pairs")}");

    public static string Line(QueueLeg leg) => Invariant(
            $"  {leg.Server,-22}  {leg.Client,-7}  {leg.SendsPerSecond,9:N0} {leg.TakesPerSecond,9:N0}  {leg.ThroughPerSecond,9:N0}  ")
                + Invariant($"{PerCore(leg.SendsPerCoreSecond),12}  {PerCore(leg.TakesPerCoreSecond),12}")
        + Invariant(
            $"  {leg.ClientMicroseconds,9:N1}  {leg.ClientBytes,8:N0}  {leg.Paced.P50,12:N2}  {leg.Paced.P99,6:N2}  ")
                + Invariant($"{leg.Paced.Microseconds,7:N1}");

    public static IEnumerable<string> Verdicts(QueueFigures figures)
    {
        if (figures.MedianRatio is { } median)
            yield return Invariant(
                $"  messages/s through, LocalSqs / the other: median {median:N2} of {Pairs(figures.Ratios.Count)} ")
                    + Invariant($"({figures.Ratios.Min():N2} to {figures.Ratios.Max():N2})");
        foreach (var (what, figure) in OfClients)
        {
            if (figures.OfClients(figure) is { Count: > 0 } ratios)
                yield return Invariant(
                    $"  {what}, aws-sdk / http: median {Median.Of(ratios.Cast<double?>()):N2} of {Pairs(ratios.Count)} ")
                        + Invariant($"({ratios.Min():N2} to {ratios.Max():N2})");
        }

        yield return Invariant($"  {figures.IdlePolls:N0} long polls that wait: {figures.IdleCores:P2} of a core");
        yield return Invariant(
            $"  {figures.Queued:N0} messages of 100 B in the queue: {figures.QueuedResidentBytes / 1048576.0:N0} MiB resident");
    }

    public static string Line(Leg leg) => Invariant(
            $"  {leg.Server,-10}  {leg.MessagesPerSecond,10:N0}  {leg.ServerMicroseconds,9:N2}  {Queue(leg),8}  ")
                + Invariant($"{leg.LoadMicroseconds,7:N2}")
        + (leg.Missing > 0 ? Invariant($"  {leg.Missing} messages did not come back") : "");

    public static string Line(IdleServer server) => Invariant(
        $"  {server.Server,-10}  {server.BytesPerConnection / 1024,6:N1} KiB a connection  {server.ConnectsPerSecond,8:N0} connects/s ")
            + Invariant($"({server.FirstConnectsPerSecond:N0} by fresh processes)");

    /// <summary>The size of the echo's messages, and its reason.</summary>
    public static string EchoSize(RelayFigures figures) => figures.MessageBytes is { } message
        ? Invariant($"  frames: SEND {figures.SendBytes} B, MESSAGE {message} B; the echo moves {figures.EchoBytes} B each way, their mean")
        : Invariant($"  frames: the echo moves {figures.EchoBytes} B each way, as a SEND");

    /// <summary>Null: nothing to compare.</summary>
    public static string? Verdict(RelayFigures figures) => figures.MedianRatio is { } median
        ? Invariant(
            $"  server CPU per message, {DirectTarget.Kind} / echo: median {median:N2} of {Pairs(figures.Ratios.Count)} (")
                + Invariant($"{figures.Ratios.Min():N2} to {figures.Ratios.Max():N2})")
        : null;

    /// <summary>Null: nothing to compare.</summary>
    public static string? Verdict(IdleFigures figures) => figures.Ratio is { } ratio
        ? Invariant($"  memory of an idle connection, {DirectTarget.Kind} / echo: {ratio:N2}")
        : null;

    private static string PerCore(double? messages) => messages is { } known ? Invariant($"{known:N0}") : "-";

    private static string Queue(Leg leg) => leg.QueueMicroseconds is { } queue ? Invariant($"{queue:N2}") : "-";
}
