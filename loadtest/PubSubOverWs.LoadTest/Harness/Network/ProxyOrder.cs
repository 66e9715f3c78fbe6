namespace PubSubOverWs.LoadTest.Harness.Network;

/// <summary>Something that a proxy is told to do.</summary>
public sealed record ProxyOrder(OrderKind Do)
{
    private static readonly TimeSpan Latest = TimeSpan.FromDays(1);

    /// <summary>When, counted from the arrival of the order: 0 s (at once, the default) to 1 day.</summary>
    public TimeSpan At { get; init; }

    /// <summary>For <see cref="OrderKind.Toxics"/>, in the order in which bytes go through them; empty: none.</summary>
    public IReadOnlyList<Toxic> Toxics { get; init; } = [];

    /// <summary>For <see cref="OrderKind.Cut"/>: 0 to 1, rounded to whole connections. Default: 1, all.</summary>
    public double Share { get; init; } = 1;

    /// <summary>For the random draws of <see cref="OrderKind.Toxics"/> and <see cref="OrderKind.Cut"/>.</summary>
    public long Seed { get; init; }

    /// <summary>The error and the allowed values, in one sentence; null: the order is valid.</summary>
    public string? FindFault() =>
        !Enum.IsDefined(Do) ? "An order must be one of toxics, cut, refuse, accept, stall, resume and calm."
        : At < TimeSpan.Zero || At > Latest ? "An order must be due after 0 s to 1 day."
        : Share is not (>= 0 and <= 1) ? "cut: the share must be from 0 to 1."
        // JSON may have null in a list of a non-nullable type.
        : Toxics.Any(toxic => toxic is null) ? "toxics: null is not a toxic."
        : Toxics.Select(toxic => toxic.FindFault()).FirstOrDefault(fault => fault is not null);
}

/// <summary>The kinds of <see cref="ProxyOrder"/>.</summary>
public enum OrderKind
{
    /// <summary>Replace the toxics, for all open and all later connections.</summary>
    Toxics,

    /// <summary>Reset a share of the open connections.</summary>
    Cut,

    /// <summary>Stop listening; connections stay open.</summary>
    Refuse,

    /// <summary>Listen again.</summary>
    Accept,

    /// <summary>Stall all connections; they stay open, and new ones are accepted.</summary>
    Stall,

    /// <summary>End the stall.</summary>
    Resume,

    /// <summary>Remove all toxics, accept, resume, and drop the orders that are not due yet.</summary>
    Calm,
}

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
/// <param name="Counts">Since it started.</param>
/// <param name="Events">All orders that were carried out.</param>
/// <param name="Planned">The number of orders that are not due yet.</param>
/// <param name="Failure">Why a due order could not be carried out; null: all could.</param>
public sealed record ProxyState(Uri Address, ProxyCounts Counts, IReadOnlyList<ProxyEvent> Events, int Planned, string? Failure);

/// <summary>An order that was carried out.</summary>
/// <param name="Stamp">A stamp of <see cref="System.Diagnostics.Stopwatch"/>: one clock for all processes of a machine.</param>
/// <param name="Detail">Such as the number of cut connections, or the new toxics.</param>
public sealed record ProxyEvent(long Stamp, OrderKind Do, string Detail);
