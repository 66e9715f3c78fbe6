namespace PubSubOverWs.LoadTest.Experiments.IdleConnections;

/// <summary>What very many idle connections take of the servers, and how long a message to all of them is on its way.</summary>
internal static class IdleConnectionsAnalysis
{
    // 17.5 KiB was measured of a connection that has not subscribed, to a direct server.
    private const int MaxKiB = 24;

    // 11.4 KiB of such a connection to the lean front end.
    private const double MaxOfLean = 0.8;

    private static readonly Contrast Contrast = IdleConnectionsScenario.Experiment.Contrasts[0];

    private static readonly Metric Memory = Metric.From(IdleConnectionsScenario.PerConnection);

    public static Analysis Analysis { get; } = new(
    [
        MessageMetrics.Loss, Memory, .. IdleConnectionsScenario.Experiment.Empty().Measures.Skip(1).Select(Metric.From),
            MessageMetrics.LatencyP50,
        MessageMetrics.LatencyP99, MessageMetrics.Bytes,
    ])
    {
        Claims =
        [
            new CountClaim(
                "every-subscriber-has-every-message", "every message reaches every subscriber in time",
                [.. IdleConnectionsScenario.Experiment.Arms.Select(arm => arm.Name)], "did not arrive in time",
                level => level.Buckets.Lost, Required: true),
            new BandClaim(
                Invariant($"a-connection-takes-{MaxKiB}-KiB"),
                Invariant($"an idle connection with a subscription takes at most {MaxKiB} KiB of its {Contrast.First} server"),
                (evidence, level) => BandReading.OfMean(evidence, Memory, Contrast.First, level),
                (_, _) => new Interval(0, MaxKiB)),
            new RatioClaim(
                "the-lean-front-end-takes-less",
                Invariant($"in {Contrast.Second} an idle connection takes at most {MaxOfLean} times the memory that it takes in ")
                    + Contrast.First,
                Memory, Contrast, MaxOfLean)
            { LeastCount = Comparison.LeastBlocks },
        ],
    };
}
