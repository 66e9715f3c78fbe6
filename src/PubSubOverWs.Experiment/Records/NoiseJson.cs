using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace PubSubOverWs.Experiment.Records;

/// <summary>noise.json as text.</summary>
internal static class NoiseJson
{
    private static readonly JsonSerializerOptions Options = new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        WriteIndented = true,
        NewLine = "\n",
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
        RespectNullableAnnotations = true,
        RespectRequiredConstructorParameters = true,
    };

    public static string Write(NoiseFloor noise) => JsonSerializer.Serialize(noise, Options) + "\n";

    /// <exception cref="RecordException">It is cut, or holds what this version does not know.</exception>
    public static NoiseFloor Read(string text, string file)
    {
        try
        {
            return JsonSerializer.Deserialize<NoiseFloor>(text, Options) is { Sources.Count: > 0 } noise
                ? noise
                : throw new RecordException($"{file} names no A/A run: delete it, or make it again with report --noise.");
        }
        catch (JsonException e)
        {
            throw new RecordException($"{file} is cut or damaged: {e.Message} Delete it, or make it again with report --noise.", e);
        }
    }
}
