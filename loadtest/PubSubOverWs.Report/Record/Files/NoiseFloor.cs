namespace PubSubOverWs.Record.Files;

/// <summary>noise.json: what A/A runs of the same set-up found, so that no smaller effect is called reproduced.</summary>
/// <param name="Sources">At least one.</param>
public sealed record NoiseFloor(IReadOnlyList<NoiseSource> Sources)
{
    /// <summary>The version of noise.json.</summary>
    public const int Version = 2;

    [JsonPropertyOrder(-1)]
    public int Noise { get; init; } = Version;

    /// <summary>When the run began that they were held against, so that the file of another run is told from its own.</summary>
    public required DateTimeOffset RunStarted { get; init; }

    /// <summary>No source found more differences than chance makes.</summary>
    public bool Passes => Sources.All(source => source.Found.Passes);

    /// <summary>As <see cref="SelfComparison.Loss"/>, of the source with the most; null: a source has none.</summary>
    public double? Loss => Most(found => found.Loss);

    /// <summary>As <see cref="SelfComparison.Latency"/>, of the source with the most; null: a source has none.</summary>
    public double? Latency => Most(found => found.Latency);

    /// <summary>As <see cref="SelfComparison.Bytes"/>, of the source with the most; null: a source has none.</summary>
    public double? Bytes => Most(found => found.Bytes);

    private double? Most(Func<SelfComparison, double?> of)
    {
        double?[] all = [.. Sources.Select(source => of(source.Found))];
        return all.Contains(null) ? null : all.Max();
    }
}

/// <summary>An A/A run with which another run is compared.</summary>
/// <param name="Run">The name of its folder.</param>
/// <param name="Started">UTC.</param>
/// <param name="Commit">The commit that made it; null: not known.</param>
public sealed record NoiseSource(string Run, DateTimeOffset Started, string? Commit, SelfComparison Found);

/// <summary>The finding of an A/A run: the apparent difference between two separately started instances of one server.</summary>
/// <param name="Server">direct or pubsub.</param>
/// <param name="Tests">Rows of loss, mean latency and bytes per delivered message that could be tested; arms of the same mean and variance
/// cannot be told apart.</param>
/// <param name="Rejections">How many of them Welch's test rejects at 0.05, uncorrected.</param>
/// <param name="MostRejections">The most that chance explains: 4 of 18. With more the set-up fails.</param>
/// <param name="Loss">The most by which their loss rates may differ at a level, in percentage points: the largest end of a 95 %
/// interval; null: there is none.</param>
/// <param name="Latency">The factor, 1 or more, by which their mean latencies may differ at a level, up or down: the largest of Ru and
/// 1/Rl, where [Rl, Ru] is the 95 % interval of R; null: there is none, or one has no end.</param>
/// <param name="Bytes">The same of bytes to clients per delivered message.</param>
public sealed record SelfComparison(
    string Server, int Tests, int Rejections, int MostRejections, double? Loss, double? Latency, double? Bytes)
{
    /// <summary>The A/A criterion. A run in which nothing could be tested shows nothing, and does not pass.</summary>
    public bool Passes => Tests > 0 && Rejections <= MostRejections;
}

internal static class NoiseJson
{
    internal static JsonSerializerOptions Options => JsonStyle.Read;

    private const string Mend = "compare the run with its A/A runs again with report --noise";

    public static string Write(NoiseFloor noise) => JsonSerializer.Serialize(noise, Options) + "\n";

    /// <exception cref="RecordException">It is cut, or holds what this version does not know.</exception>
    public static NoiseFloor Read(string path)
    {
        var file = RecordFiles.Name(path);
        var text = RecordFiles.Text(path, RecordFiles.MaxJsonBytes);
        try
        {
            var noise = JsonSerializer.Deserialize<NoiseFloor>(text, Options);
            if (noise is { Noise: not NoiseFloor.Version })
                throw new RecordException(
                    $"{file} is of version {noise.Noise}, and this program reads version {NoiseFloor.Version}: {Mend}.");
            return noise is { Sources.Count: > 0 } && noise.Sources.All(source => source is not null)
                ? noise
                : throw new RecordException($"{file} names no A/A run: {Mend}.");
        }
        catch (JsonException e)
        {
            throw RecordException.Damaged(file, e, Mend);
        }
    }
}
