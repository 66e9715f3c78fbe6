using System.Text.Json;
using System.Text.Json.Serialization;
using PubSubOverWs.Experiment.Formats;

namespace PubSubOverWs.LoadTest.Network.Control;

/// <summary>
/// How orders, toxics and a proxy's state are written: names that are not known, and values that are missing, are refused.
/// </summary>
public static class ProxyJson
{
    public static JsonSerializerOptions Options { get; } = new(JsonSerializerDefaults.Web)
    {
        UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
        RespectRequiredConstructorParameters = true,
        RespectNullableAnnotations = true,
        AllowOutOfOrderMetadataProperties = true,
        NumberHandling = JsonNumberHandling.Strict,
        Converters = { new DurationText(), new JsonStringEnumConverter(JsonNamingPolicy.KebabCaseLower, allowIntegerValues: false) },
    };

    /// <summary>As in scenarios: <c>500ms</c>, <c>2s</c>, <c>1.5m</c>.</summary>
    private sealed class DurationText : JsonConverter<TimeSpan>
    {
        public override TimeSpan Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
        {
            try
            {
                return Duration.Parse(reader.TokenType == JsonTokenType.String ? reader.GetString()! : "");
            }
            catch (ScenarioException error)
            {
                throw new JsonException(error.Message);
            }
        }

        public override void Write(Utf8JsonWriter writer, TimeSpan value, JsonSerializerOptions options) =>
            writer.WriteStringValue(Duration.Text(value));
    }
}
