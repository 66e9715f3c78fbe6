using System.Text.Json.Serialization;

namespace PubSubOverWs.Experiment.Records;

/// <summary>noise.json: what A/A runs of the same set-up found, so that no smaller effect is called reproduced.</summary>
/// <param name="Sources">At least one.</param>
public sealed record NoiseFloor(IReadOnlyList<NoiseSource> Sources)
{
    /// <summary>The version of noise.json.</summary>
    public const int Version = 1;

    [JsonPropertyOrder(-1)]
    public int Noise { get; init; } = Version;

    /// <summary>
    /// When the run began that they were held against, so that the file of another run is told from its own. Null, and not written: the
    /// file is older than this key.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public DateTimeOffset? RunStarted { get; init; }

    /// <summary>No source found more differences than chance makes.</summary>
    public bool Passes => Sources.All(source => source.Found.Passes);

    /// <summary>The largest difference of loss rates, in percentage points; null: no source has one.</summary>
    public double? Loss => Sources.Max(source => source.Found.Loss);

    /// <summary>The largest |R - 1| of mean latencies; null: no source has one.</summary>
    public double? Latency => Sources.Max(source => source.Found.Latency);

    /// <summary>The largest |R - 1| of bytes to clients per delivered message; null: no source has one.</summary>
    public double? Bytes => Sources.Max(source => source.Found.Bytes);
}

/// <summary>An A/A run that another run is held against.</summary>
/// <param name="Run">The name of its folder.</param>
/// <param name="Started">UTC.</param>
/// <param name="Commit">What it was made by; null: not known.</param>
/// <param name="Found">What it found.</param>
public sealed record NoiseSource(string Run, DateTimeOffset Started, string? Commit, SelfComparison Found);
