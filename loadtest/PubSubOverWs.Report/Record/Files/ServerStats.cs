namespace PubSubOverWs.Record.Files;

/// <summary>The answers of one server to /stats around one iteration.</summary>
/// <param name="Server">For example <c>direct</c>.</param>
/// <param name="Before">JSON from just before the burst; null: not available.</param>
/// <param name="After">JSON from after the drain; null: not available.</param>
public sealed record ServerStats(
    string Server, [property: JsonConverter(typeof(RawJson))] string? Before, [property: JsonConverter(typeof(RawJson))] string? After);

/// <summary>A line of stats.jsonl.</summary>
/// <param name="Arm">With the iteration the key of its row in iterations.csv.</param>
/// <param name="Iteration">From 1.</param>
public sealed record StatsLine(string Arm, int Iteration, IReadOnlyList<ServerStats> Servers)
{
    private static readonly JsonSerializerOptions Options = new(JsonStyle.Read) { WriteIndented = false };

    /// <summary>Every line, in the order of the rows.</summary>
    /// <exception cref="RecordException">The file is not there (committed folders leave it out), or is cut or damaged.</exception>
    public static IEnumerable<StatsLine> ReadAll(string folder)
    {
        var name = RecordFiles.Name(RecordFiles.Stats(folder));
        using var file = RecordFiles.Open(RecordFiles.Stats(folder));
        for (var lines = new Lines(file); lines.TryNext();)
            yield return lines.Ended ? Read(lines.Text, $"{name}, line {lines.Number},") : throw CsvTable.Cut(name, lines.Number);
    }

    internal string Write() => JsonSerializer.Serialize(this, Options);

    private static StatsLine Read(string line, string where)
    {
        try
        {
            return JsonSerializer.Deserialize<StatsLine>(line, Options) ?? throw new JsonException();
        }
        catch (JsonException error)
        {
            throw new RecordException($"{where} is cut or damaged: {RecordException.Mend}.", error);
        }
    }
}

/// <summary>JSON that is kept as a text; null: there is none.</summary>
internal sealed class RawJson : JsonConverter<string?>
{
    public override bool HandleNull => true;

    public override string? Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        JsonElement.ParseValue(ref reader) is { ValueKind: not JsonValueKind.Null } value ? value.GetRawText() : null;

    public override void Write(Utf8JsonWriter writer, string? value, JsonSerializerOptions options)
    {
        using var document = JsonDocument.Parse(value ?? "null");
        document.RootElement.WriteTo(writer);
    }
}

/// <summary>Messages that the server under test dropped, from its /stats: clients see such a loss only as silence.</summary>
/// <param name="NoSubscriber">The destination had no subscriber.</param>
/// <param name="Shed">An outbox or a prefetch was full.</param>
/// <param name="Closed">The connection was closed with messages in its outbox.</param>
public readonly record struct ServerDrops(long NoSubscriber, long Shed, long Closed)
{
    public long Total => NoSubscriber + Shed + Closed;

    public ServerDrops Add(ServerDrops other) => new(NoSubscriber + other.NoSubscriber, Shed + other.Shed, Closed + other.Closed);
}

/// <summary>
/// Bytes that the server under test sent to its clients, counted in the server, from just before the burst to the end of the drain.
/// </summary>
/// <param name="Payload">Message bodies.</param>
/// <param name="Stomp">Commands, headers and the closing NUL.</param>
/// <param name="WebSocket">Frame headers.</param>
/// <param name="Total">As counted by the server; the three kinds add up to it.</param>
public readonly record struct ClientBytes(long Payload, long Stomp, long WebSocket, long Total)
{
    public ClientBytes Add(ClientBytes other) =>
        new(Payload + other.Payload, Stomp + other.Stomp, WebSocket + other.WebSocket, Total + other.Total);
}

/// <summary>
/// Traffic between server and queue, over the same time as <see cref="ClientBytes"/>. All zero for an arm without a queue.
/// </summary>
/// <param name="EmptyReceives">Receive calls that returned no message.</param>
public readonly record struct QueueTraffic(QueueCounts Calls, long EmptyReceives, QueueCounts BytesOut, long BytesIn)
{
    public QueueTraffic Add(QueueTraffic other) =>
        new(Calls.Add(other.Calls), EmptyReceives + other.EmptyReceives, BytesOut.Add(other.BytesOut), BytesIn + other.BytesIn);
}

/// <summary>Calls to the queue, or the bytes of their requests, by kind of call.</summary>
public readonly record struct QueueCounts(long Send, long Receive, long Delete, long ChangeVisibility, long Other)
{
    public long Total => Send + Receive + Delete + ChangeVisibility + Other;

    public QueueCounts Add(QueueCounts other) => new(
        Send + other.Send,
        Receive + other.Receive,
        Delete + other.Delete,
        ChangeVisibility + other.ChangeVisibility,
        Other + other.Other);
}
