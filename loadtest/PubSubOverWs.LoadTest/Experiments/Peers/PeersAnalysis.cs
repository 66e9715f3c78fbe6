namespace PubSubOverWs.LoadTest.Experiments.Peers;

/// <summary>The figures of all servers, and those of the direct server over each of them.</summary>
internal static class PeersAnalysis
{
    private const double Confidence = 0.95;

    private static readonly Metric Figure = Metric.From(PeersScenario.Figure) with { Primary = true };

    private static readonly string[] Own = [Relays.Direct, Relays.Lean.Name];

    public static Analysis Analysis { get; } = new(
        [Figure, Metric.From(PeersScenario.Throughput), MessageMetrics.Loss, MessageMetrics.LatencyP99])
    { Sections = Rows };

    private static IEnumerable<Block> Rows(RunFolder folder)
    {
        yield return new Heading(2, "Figures by row");
        yield return new Paragraph(
            "Means over iterations, and ratios of means with their 95 % intervals, over iterations in which both were measured.");
        yield return Table.From(
            ArmLevel.Measured(folder),
            [
                ("row", one => PeersScenario.RowOf(one.Level).Title),
                ("unit", one => PeersScenario.RowOf(one.Level).Unit),
                ("arm", one => one.Arm),
                ("mean", one => Mean(folder, one)),
                .. Own.Where(arm => folder.Run.Scenario.FindArm(arm) is not null)
                    .Select(arm => ($"{arm} / it", (Func<ArmLevel, string>)(one => Ratio(folder, one, arm)))),
            ]);
    }

    private static string Mean(RunFolder folder, ArmLevel one)
    {
        double[] values = [.. MetricReadings.Read(folder, one.Arm, one.Level, Figure).Select(reading => reading.Value)];
        return Format.Short(values.Length == 0 ? null : values.Average());
    }

    private static string Ratio(RunFolder folder, ArmLevel one, string own)
    {
        var pairs = MetricReadings.Read(folder, Figure, new Contrast(one.Arm, own), one.Level).Pairs;
        if (one.Arm == own || pairs.Count == 0)
            return "";
        var ratio = pairs.Average(pair => pair.Second) / pairs.Average(pair => pair.First);
        return Report.Statistics.Ratio.PairedFieller(pairs, Confidence) is { } interval
            ? Invariant($"{ratio:N2} ({interval.Low:N2} to {interval.High:N2})")
            : Invariant($"{ratio:N2}");
    }
}
