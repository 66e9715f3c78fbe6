using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using PubSubOverWs.Experiment.Formats;

namespace PubSubOverWs.Experiment.Records;

/// <summary>noise.json as text.</summary>
internal static class NoiseJson
{
    internal static readonly JsonSerializerOptions Options = new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        WriteIndented = true,
        NewLine = "\n",
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
        RespectNullableAnnotations = true,
        RespectRequiredConstructorParameters = true,
    };

    private const string Mend = "delete it, and hold the run against its A/A runs again with report --noise";

    public static string Write(NoiseFloor noise) => JsonSerializer.Serialize(noise, Options) + "\n";

    /// <exception cref="RecordException">It is cut, or holds what this version does not know.</exception>
    public static NoiseFloor Read(string text, string file)
    {
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
            throw new RecordException(
                $"{file} is cut or damaged in line {(e.LineNumber ?? 0) + 1}{(e.Path is null or "$" ? "" : $", at {e.Path}")}: {Mend}.", e);
        }
    }
}
