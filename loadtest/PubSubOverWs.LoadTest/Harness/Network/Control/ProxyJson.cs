using PubSubOverWs.LoadTest.Harness.Network.Proxy;

namespace PubSubOverWs.LoadTest.Harness.Network.Control;

/// <summary>JSON of orders, toxics and a proxy's state: unknown names and missing values are refused.</summary>
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

/// <summary>The state of a proxy.</summary>
/// <param name="Address">Where clients connect.</param>
/// <param name="Counts">Since it started.</param>
/// <param name="Events">All orders that were carried out.</param>
/// <param name="Planned">The number of orders that are not due yet.</param>
/// <param name="Failure">Why a due order could not be carried out; null: all could.</param>
public sealed record ProxyState(Uri Address, ProxyCounts Counts, IReadOnlyList<ProxyEvent> Events, int Planned, string? Failure);

/// <summary>An order that was carried out.</summary>
/// <param name="Stamp">A stamp of <see cref="System.Diagnostics.Stopwatch"/>: one clock for all processes of a machine.</param>
/// <param name="Detail">Such as the number of cut connections, or the new toxics.</param>
public sealed record ProxyEvent(long Stamp, OrderKind Do, string Detail);
