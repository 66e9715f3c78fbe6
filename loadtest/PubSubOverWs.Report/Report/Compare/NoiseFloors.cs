using PubSubOverWs.Report.Claims;
using PubSubOverWs.Report.Metrics;

namespace PubSubOverWs.Report.Compare;

/// <summary>Compares a run with A/A runs of the same set-up, which tell its noise.</summary>
public static class NoiseFloors
{
    /// <summary>The finding of an A/A run; null: it is another kind of run.</summary>
    public static SelfComparison? FoundBy(RunFolder run) => run.Run.Scenario is { IsAgainstItself: true } scenario
        ? AgainstItselfJudge.Judge(
            scenario.Arms[0].Target, Compared(run, MessageMetrics.Loss), Compared(run, MessageMetrics.Latency),
            Compared(run, MessageMetrics.Bytes))
        : null;

    /// <param name="run">Any other run.</param>
    /// <param name="sources">A/A runs, by the names of their folders.</param>
    /// <exception cref="RecordException">One is no complete and valid A/A run, or its set-up differs; names what differs.</exception>
    public static NoiseFloor From(RunFolder run, IEnumerable<(string Name, RunFolder Folder)> sources) =>
        new([.. sources.Select(source => Source(run, source.Name, source.Folder))]) { RunStarted = run.Run.Started };

    private static IReadOnlyList<Comparison> Compared(RunFolder run, Metric metric) =>
        Comparisons.Compute(MetricReadings.Read(run, metric));

    private static NoiseSource Source(RunFolder run, string name, RunFolder source)
    {
        RecordException.ThrowUnless(
            !run.Run.Scenario.IsAgainstItself, "An A/A run has its own noise floor and is compared with no other.");
        RecordException.ThrowUnless(
            source.Run.Scenario.IsAgainstItself,
            $"{name} is no A/A run: make one with run {run.Run.Scenario.Name} --aa {run.Run.Scenario.Compared.First}.");
        var missing = run.Run.Scenario.Levels.Except(source.Run.Scenario.Levels).ToArray();
        string[] obstacles =
        [
            .. Comparability.Unusable(source, name),
            .. Comparability.Differences(run.Run, OfTheSame(source.Run, run.Run), "this run", name),
            .. source.Run.Machine.Commit == run.Run.Machine.Commit
                ? []
                : new[] { $"commit: {run.Run.Machine.Commit} in this run, {source.Run.Machine.Commit} in {name}" },
            .. missing.Length == 0
                ? []
                : new[] { $"{name} has no level of {string.Join(", ", missing.Select(level => level.Key))} users" },
        ];
        RecordException.ThrowUnless(obstacles.Length == 0,
            $"{name} is no noise floor for this run ({string.Join("; ", obstacles)}): make an A/A run of the same set-up.");
        return new NoiseSource(name, source.Run.Started, source.Run.Machine.Commit, FoundBy(source)!);
    }

    // The arms differ by design, additional levels do no harm, and a direct server has no queue that could differ.
    private static RunRecord OfTheSame(RunRecord source, RunRecord run)
    {
        var alike = source.Scenario.WithLevelsOf(run.Scenario) with { Arms = run.Scenario.Arms };
        return source.Scenario.HasQueue
            ? source with { Scenario = alike }
            : source with
            {
                Scenario = alike.WithQueueOf(run.Scenario),
                SetUp = source.SetUp with { Queue = run.SetUp.Queue, SqsClient = run.SetUp.SqsClient },
            };
    }
}
