using System.Text.Json;
using System.Text.Json.Serialization;
using PubSubOverWs.Experiment.Formats;
using PubSubOverWs.LoadTest.Network.Proxy;

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

/// <summary>What a proxy tells of itself.</summary>
/// <param name="Address">Where clients connect.</param>
/// <param name="Counts">Since it began.</param>
/// <param name="Events">Every order that was carried out, from the first.</param>
/// <param name="Planned">How many orders are not due yet.</param>
/// <param name="Failure">Why an order that was due could not be carried out; null: all could.</param>
public sealed record ProxyState(Uri Address, ProxyCounts Counts, IReadOnlyList<ProxyEvent> Events, int Planned, string? Failure);

/// <summary>An order that was carried out.</summary>
/// <param name="Stamp">When, as <see cref="System.Diagnostics.Stopwatch.GetTimestamp"/> says it: one clock for all processes of a
/// machine.</param>
/// <param name="Do">What.</param>
/// <param name="Detail">For example how many connections were cut, or which toxics there are now.</param>
public sealed record ProxyEvent(long Stamp, OrderKind Do, string Detail);
