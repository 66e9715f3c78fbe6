namespace PubSubOverWs.LoadTest.Experiments.StalledReaders;

/// <summary>The cost of connections that do not read to those that do.</summary>
internal static class StalledReadersAnalysis
{
    /// <summary>A p99 beside stalled readers of up to this multiple of the p99 without them counts as no harm.</summary>
    private const double Bar = 1.5;

    private static readonly string[] Arms = [.. OtherArms.All.Select(arm => arm.Name)];

    public static Analysis Analysis { get; } = new(
    [
        MessageMetrics.LatencyP99, MessageMetrics.Loss, MessageMetrics.LatencyP50, MessageMetrics.Latency,
        .. StalledReadersScenario.Experiment.Empty().Measures.Select(measure => Metric.Of(measure)), MessageMetrics.ServerCpu,
    ])
    {
        Claims =
        [
            .. OtherArms.Judged.Select(contrast => new RatioClaim(
                $"{contrast.Second}-costs-little",
                Invariant($"the p99 latency of readers in {contrast.Second} is at most {Bar} times that in {contrast.First}"),
                MessageMetrics.LatencyP99, contrast, Bar, Required: true)),
            new CountClaim(
                "readers-get-everything", "every message of a reader comes back in time, whatever other connections do", Arms,
                "lost or late", level => level.Buckets.Lost, Required: true),
            new CountClaim(
                "other-connections-as-specified",
                "other connections read everything, read nothing, or are all disconnected and told so, as the arm specifies", Arms,
                "messages or connections that differ from the arm's definition", Deviations, Required: true)
            { Among = Expected },
        ],
    };

    // Messages for them; of disconnected ones the connections, because nothing is sent to them afterwards.
    private static long Expected(ArmLevel level) => OtherArms.DoingOf(level.Arm) == Doing.Disconnected
        ? Connections(level)
        : Sum(level, StalledReadersScenario.OthersSent);

    private static long Deviations(ArmLevel level)
    {
        var (sent, read) = (Sum(level, StalledReadersScenario.OthersSent), Sum(level, StalledReadersScenario.OthersRead));
        var disconnected = Sum(level, StalledReadersScenario.Disconnected);
        return OtherArms.DoingOf(level.Arm) switch
        {
            Doing.Reading => Math.Max(sent == 0 ? 1 : 0, sent - read) + Filled(level),
            Doing.Stalled => (level.Rows.Count - Filled(level)) + read + disconnected,
            Doing.Disconnected => (2 * Connections(level)) - disconnected - Sum(level, StalledReadersScenario.Told),
            _ => sent + read + Filled(level),
        };
    }

    private static int Filled(ArmLevel level) => level.Rows.Count(row => Of(row, StalledReadersScenario.Rounds) > 0);

    private static long Connections(ArmLevel level) => (long)level.Rows.Count * level.Level.Number;

    private static long Sum(ArmLevel level, Measure measure) => (long)level.Rows.Sum(row => Of(row, measure) ?? 0);

    private static double? Of(IterationRow row, Measure measure) => row.Measures.GetValueOrDefault(measure.Name);
}
