namespace PubSubOverWs.LoadTest.Experiments.Interference;

/// <summary>How long a reply waits behind a stream, beside what was published.</summary>
internal static class InterferenceAnalysis
{
    /// <summary>Up to this ratio of the median round trips, this program's server is as fast as the reference.</summary>
    private const double AsFast = 1.05;

    /// <summary>Chunks are worth their cost if the p99 round trip falls below this share.</summary>
    private const double ChunkBar = 0.25;

    private const int LargeBytes = 1_000_000;

    // The bar asks for as many alternating runs; a server that the run does not start has one block.
    private const int RunsOfReference = 10;

    public static Analysis Analysis { get; } = new(
    [
        MessageMetrics.Latency, MessageMetrics.LatencyP50, MessageMetrics.LatencyP99, MessageMetrics.Loss,
        .. InterferenceScenario.Experiment.Empty().Measures.Select(measure => Metric.From(measure)), MessageMetrics.ServerCpu,
    ])
    {
        Claims =
        [
            new CountClaim(
                "every-request-is-answered", "every request comes back in time", [.. InterferenceArms.All.Select(arm => arm.Name)],
                "did not come back in time", level => level.Buckets.Lost, Required: true),
            new RatioClaim(
                "chunks-let-replies-pass",
                Invariant($"beside large messages the p99 round trip in chunked is at most {ChunkBar} times that in one-socket"),
                MessageMetrics.LatencyP99, new Contrast(InterferenceArms.OneSocket, InterferenceArms.Chunked), ChunkBar)
            {
                Of = "large messages",
                IsOf = level => InterferenceScenario.StreamOf(level).Bytes >= LargeBytes,
            },
            new RatioClaim(
                "as-fast-as-the-reference",
                Invariant($"without large messages the p50 round trip in one-socket is at most {AsFast} times that of the reference"),
                MessageMetrics.LatencyP50, InterferenceArms.AgainstReference, AsFast)
            {
                Of = "levels without large messages",
                IsOf = level => InterferenceScenario.StreamOf(level).Bytes < LargeBytes,
                LeastCount = RunsOfReference,
                LeastBlocks = 1,
            },
        ],
        Sections = Published,
    };

    private static IEnumerable<Block> Published(RunFolder folder)
    {
        var published = PublishedInterference.Load();
        ArmLevel[] measured = [.. ArmLevel.Measured(folder)];
        yield return new Heading(2, "The published table");
        yield return new Paragraph(
            $"{published.Citation} {published.Statistic} Rerun: {published.Rerun} Absolute times of other hardware cannot be tested here; "
                + "measured figures can be compared with each other, and with those of the published program in the same run (the arm "
                + $"{InterferenceArms.Reference}). Round trips in microseconds. A cell whose stream misses its rate by more than 20 % "
                + "describes a saturated socket, and has no verdict.");
        yield return Table.From(
            measured,
            ("stream", one => published.Find(one.Level)?.Published ?? $"{InterferenceScenario.StreamOf(one.Level)} (not published)"),
            ("request every", one => $"{InterferenceScenario.EveryMsOf(one.Level)} ms"),
            ("published worst mean", one => Format.Fixed(published.Find(one.Level)?.WorstMeanUs, 1)),
            ("rerun mean", one => Format.Fixed(published.Find(one.Level)?.RerunMeanUs, 0)),
            ("stream that arrived there", one => Format.Percent(published.Find(one.Level)?.Share, 0)),
            ("and in the rerun", one => Format.Percent(published.Find(one.Level)?.RerunShare, 0)),
            ("arm", one => one.Arm),
            ("measured worst mean", one => Format.Fixed(one.Rows.Max(row => row.Latency.Mean), 1)),
            ("median p50", one => Format.Fixed(Median.Compute(one.Rows.Select(row => row.Latency.P50)), 1)),
            ("median p99", one => Format.Fixed(Median.Compute(one.Rows.Select(row => row.Latency.P99)), 1)),
            ("stream that arrived", one => Format.Percent(
                one.Rows.Min(row => row.Measures.GetValueOrDefault(InterferenceScenario.Share.Name)) / 100, 0)),
            ("note", one => one.Saturated(folder.Run.Scenario) ?? ""));
        yield return new Heading(3, "Errata");
        yield return new BulletList(published.Errata, IsVerbatim: true);
    }
}
