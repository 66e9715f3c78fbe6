using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Latency;

namespace PubSubOverWs.Record.Files;

/// <summary>The content of a record folder without samples.csv.gz and stats.jsonl.</summary>
/// <param name="Run">run.json.</param>
/// <param name="Rows">iterations.csv, as written: warm-up and superseded rows are among them.</param>
/// <param name="Events">events.csv.</param>
public sealed record RunFolder(RunRecord Run, IReadOnlyList<IterationRow> Rows, IReadOnlyList<EventRow> Events)
{
    /// <summary>latency.hlog: of each flow of every row but warm-up.</summary>
    public IReadOnlyDictionary<(string Arm, int Iteration, string Flow), Distribution> Latency
    { get; init; } = new Dictionary<(string, int, string), Distribution>();

    /// <summary>Of the first flow that is judged. Null: it is not there.</summary>
    public Distribution? LatencyOf(IterationRow row) =>
        Latency.GetValueOrDefault((row.Arm, row.Iteration, row.Flows.FirstJudged.Flow.Name));

    /// <summary>noise.json; null: the run is compared with no A/A run.</summary>
    public NoiseFloor? Noise { get; init; }
}

/// <summary>The measured iterations of one arm at one level, in the order in which they ran, without warm-up and superseded rows.</summary>
public sealed record ArmLevel(string Arm, Level Level, IReadOnlyList<IterationRow> Rows)
{
    /// <inheritdoc cref="Level.Number"/>
    public int Users => Level.Number;

    public Buckets Buckets => Rows.Aggregate(new Buckets { Attempts = 0 }, (sum, row) => sum.Add(row.Buckets));

    public Anomalies Anomalies => Rows.Aggregate(default(Anomalies), (sum, row) => sum.Add(row.Anomalies));

    /// <summary>What at least one of its iterations drove to its limit on purpose (<see cref="ILimitReached"/>); null: none.</summary>
    public string? Saturated(Scenario scenario) =>
        Rows.Select(row => (scenario as ILimitReached)?.LimitReached(row.Measures)).FirstOrDefault(what => what is not null);

    /// <summary>The same rows with one flow only.</summary>
    public ArmLevel Only(string flow) => this with { Rows = [.. Rows.Select(row => row.Only(flow))] };

    public static ArmLevel Of(RunFolder folder, string arm, Level level) => new(
        arm, level, [.. folder.Rows.Where(row => row.Counts && row.Arm == arm && row.Level.Equals(level)).OrderBy(row => row.Iteration)]);

    /// <summary>Each shown arm at each level, if it has measured iterations.</summary>
    public static IEnumerable<ArmLevel> Measured(RunFolder folder) =>
        from level in folder.Run.Scenario.Levels
        from arm in folder.Run.Scenario.ShownArms
        let one = Of(folder, arm, level)
        where one.Rows.Count > 0
        select one;
}
