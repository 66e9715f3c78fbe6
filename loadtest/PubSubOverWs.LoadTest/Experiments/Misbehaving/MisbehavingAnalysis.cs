namespace PubSubOverWs.LoadTest.Experiments.Misbehaving;

/// <summary>What clients that misbehave cost the others.</summary>
internal static class MisbehavingAnalysis
{
    /// <summary>A p99 beside clients that misbehave of up to this multiple of the p99 without them counts as no harm.</summary>
    private const double Bar = 2;

    private static readonly string[] Arms = [.. MisbehavingScenario.Experiment.Arms.Select(arm => arm.Name)];

    private static readonly Metric Ratio = Metric.From(MisbehavingScenario.Ratio);

    public static Analysis Analysis { get; } = new(
    [
        MessageMetrics.Loss, .. MisbehavingScenario.Experiment.Empty().Measures.Select(Metric.From),
    ])
    {
        Claims =
        [
            new CountClaim(
                "well-behaved-clients-get-everything", "every message of a well-behaved client comes in time, whatever others do", Arms,
                "lost or late", level => level.Buckets.Lost, Required: true),
            new CountClaim(
                "memory-stays-within-its-bound", "a server never takes more memory than it has computed from its settings", Arms,
                "above the bound", level => level.Rows.Count(IsAboveBound), Required: true)
            { Among = level => level.Rows.Count },
            .. Arms.Select(arm => new BandClaim(
                $"{arm}-keeps-its-p99",
                Invariant($"in {arm} the p99 beside clients that misbehave is at most {Bar} times that without them"),
                (evidence, level) => BandReading.OfMean(evidence, Ratio, arm, level),
                (evidence, level) => evidence.Of(arm, level).Rows.Count == 0 || MisbehavingScenario.WayOf(level) == Misbehaviour.None
                    ? null
                    : new Interval(0, Bar))),
        ],
    };

    private static bool IsAboveBound(IterationRow row) => row.Measures.GetValueOrDefault(MisbehavingScenario.Peak.Name)
        > row.Measures.GetValueOrDefault(MisbehavingScenario.MemoryBound.Name);
}
