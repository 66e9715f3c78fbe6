namespace PubSubOverWs.Experiment.Records;

/// <summary>What a record folder says, without samples/.</summary>
/// <param name="Run">run.json.</param>
/// <param name="Rows">iterations.csv, as written: warm-up and superseded rows are among them.</param>
/// <param name="Events">events.csv.</param>
/// <param name="Noise">noise.json; null: the run is held against no A/A run.</param>
public sealed record RunFolder(RunRecord Run, IReadOnlyList<IterationRow> Rows, IReadOnlyList<EventRow> Events, NoiseFloor? Noise = null);
