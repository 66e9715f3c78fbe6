using PubSubOverWs.Experiment.Latency;

namespace PubSubOverWs.Experiment.Records;

/// <summary>What a record folder says, without samples/.</summary>
/// <param name="Run">run.json.</param>
/// <param name="Rows">iterations.csv, as written: warm-up and superseded rows are among them.</param>
/// <param name="Events">events.csv.</param>
public sealed record RunFolder(RunRecord Run, IReadOnlyList<IterationRow> Rows, IReadOnlyList<EventRow> Events)
{
    /// <summary>latency/: of each flow of every row but warm-up; empty where the folder is older than that.</summary>
    public IReadOnlyDictionary<(string Arm, int Iteration, string Flow), Distribution> Latency
    { get; init; } = new Dictionary<(string, int, string), Distribution>();

    /// <summary>Of the first flow that is judged. Null: it is not there.</summary>
    public Distribution? LatencyOf(IterationRow row) =>
        Latency.GetValueOrDefault((row.Arm, row.Iteration, row.Flows.FirstJudged.Flow.Name));

    /// <summary>noise.json; null: the run is held against no A/A run.</summary>
    public NoiseFloor? Noise { get; init; }
}
