using PubSubOverWs.Experiment.Statistics;
using static System.FormattableString;

namespace PubSubOverWs.LoadTest.Bench;

/// <summary>The figures of <see cref="ReadersBench"/> as lines of text.</summary>
public static class ReadersText
{
    private const double MiB = 1024 * 1024;

    /// <summary>
    /// Above <see cref="Line"/>; latency in milliseconds from when a message was due, memory in MiB, collections of generations 0, 1 and 2,
    /// and their pauses in milliseconds.
    /// </summary>
    public const string Heading =
        "  server   beside        messages   missing      p50      p99       RSS      heap   collections    paused   ended as slow";

    public static string Line(string server, ReadersLeg leg) => Invariant(
        $"  {server,-8} {Beside(leg.Side),-10} {leg.Messages,11:N0} {leg.Missing,9:N0} {leg.P50Milliseconds,8:N2} ")
            + Invariant(
                $"{leg.P99Milliseconds,8:N2} {leg.ResidentBytes / MiB,9:N0} {leg.HeapBytes / MiB,9:N0} ")
                    + Invariant($"{string.Join('/', leg.Collections),13} {leg.PausedMilliseconds,9:N1} {leg.Slow,15:N0}");

    public static IEnumerable<string> Verdicts(ReadersFigures figures)
    {
        yield return Ratio(figures.Server, "p99 beside those who never read / without them", figures.Ratios) + Invariant(
            $"; at most {ReadersFigures.Bar:N2}: {(figures.Holds ? "held" : "NOT held")}");
        yield return Ratio(figures.Server, "the same / beside the same connections that read", figures.ReadingRatios);
        yield return Ratio(figures.Server, "without them / without them", figures.SelfRatios);
        yield return Invariant(
            $"  {figures.Server}: heap at most {figures.MostHeapBytes / MiB:N0} MiB of {figures.HeapLimitBytes / MiB:N0} MiB that it may ")
                + Invariant($"have; resident at most {figures.PeakResidentBytes / MiB:N0} MiB");
        yield return Invariant(
            $"  {figures.Server}, told to disconnect them: of {figures.End.Deaf:N0} it ended {figures.End.Ended:N0}, of whom ")
                + Invariant($"{figures.End.Told:N0} found an ERROR behind what they were still given");
    }

    private static string Beside(ReadersSide side) => side switch
    {
        ReadersSide.Without => "-",
        ReadersSide.Reading => "reading",
        _ => "never read",
    };

    private static string Ratio(string server, string what, IReadOnlyList<double> ratios) => Invariant(
        $"  {server}: {what}: median {Median.Of(ratios.Cast<double?>()):N2} of {BenchText.Pairs(ratios.Count)} ({ratios.Min():N2} to ")
            + Invariant($"{ratios.Max():N2})");
}
