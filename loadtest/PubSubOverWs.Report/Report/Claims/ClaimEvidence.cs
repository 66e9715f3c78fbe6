using PubSubOverWs.Report.Metrics;

namespace PubSubOverWs.Report.Claims;

/// <summary>The basis for judging claims: a record and its comparisons, each of which is made once.</summary>
/// <param name="folder">The record.</param>
public sealed class ClaimEvidence(RunFolder folder)
{
    private readonly Dictionary<Metric, MetricComparisons> _tables = [];

    public RunFolder Folder => folder;

    /// <summary>False: a check of the run is broken, and nothing may be concluded from it.</summary>
    public bool IsValid { get; } = Validity.IsValid(folder);

    public Scenario Scenario => folder.Run.Scenario;

    /// <summary>False: iterations that were planned are missing.</summary>
    public bool IsComplete => folder.Run.Complete;

    /// <summary>A metric in every contrast of the run.</summary>
    public MetricComparisons Compared(Metric metric) => _tables.TryGetValue(metric, out var made)
        ? made
        : _tables[metric] = MetricComparisons.Of(folder, metric);

    /// <summary>One row of it; null: the run has not both arms of the contrast.</summary>
    public Comparison? Row(Metric metric, Contrast contrast, Level level) =>
        Compared(metric).Contrasts.FirstOrDefault(one => one.Contrast == contrast)?.Rows.Single(row => row.Level.Equals(level));

    /// <summary>What both arms of any contrast read at a level; without readings where one was not run.</summary>
    public LevelReadings Readings(Metric metric, Contrast contrast, Level level) =>
        MetricReadings.Read(folder, metric, contrast, level);

    /// <summary>The measured iterations of an arm at a level.</summary>
    public ArmLevel Of(string arm, Level level) => ArmLevel.Of(folder, arm, level);

    /// <summary>Why a contrast has no verdict at a level: what one of its arms drove to its limit there. Null: nothing.</summary>
    public string? Saturated(Contrast contrast, Level level) =>
        Of(contrast.First, level).Saturated(folder.Run.Scenario) ?? Of(contrast.Second, level).Saturated(folder.Run.Scenario);

    /// <summary>Every claim of an experiment, judged at each level of the run and for all together.</summary>
    public IReadOnlyList<ClaimResult> Judge(IEnumerable<Claim> claims) => [.. claims.Select(Judge)];

    private ClaimResult Judge(Claim claim)
    {
        LevelVerdict[] levels = [.. folder.Run.Scenario.Levels.Select(level => new LevelVerdict(level, claim.At(level, this)))];
        return new ClaimResult(claim, claim.Together(levels), levels);
    }
}
