using System.Text.Json;
using System.Text.Json.Serialization;
using PubSubOverWs.Experiment.Faults;
using PubSubOverWs.Experiment.Formats;

namespace PubSubOverWs.Experiment.Design;

/// <summary>Reads and writes scenarios. What is left out gets its default; what is not known is refused by name.</summary>
public sealed class ScenarioJson : JsonConverter<Scenario>
{
    private const string Keys =
        "name, workload, arms, users, messages, iterations, blocks, warmUps, arrival, deadline, payloadBytes, receipts, pinning, "
            + "queueLatency, pubsubNodes, visibility, fault, floor, seed, gates, margins, quick";

    private static readonly JsonDocumentOptions Lenient = new() { CommentHandling = JsonCommentHandling.Skip, AllowTrailingCommas = true };

    /// <summary>Reads a scenario file's text.</summary>
    /// <param name="text">The JSON.</param>
    /// <param name="source">The file's name, for the sentence.</param>
    /// <exception cref="ScenarioException">It is no JSON, or a key or a value is not known or out of its range.</exception>
    public static Scenario Parse(string text, string source)
    {
        try
        {
            using var document = JsonDocument.Parse(text, Lenient);
            return Read(document.RootElement).Checked();
        }
        catch (JsonException e)
        {
            throw new ScenarioException($"{source} is not JSON: {e.Message}", e);
        }
        catch (ScenarioException e)
        {
            throw new ScenarioException($"{source}: {e.Message}", e);
        }
    }

    public override Scenario Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        using var document = JsonDocument.ParseValue(ref reader);
        return Read(document.RootElement).Checked();
    }

    public override void Write(Utf8JsonWriter writer, Scenario value, JsonSerializerOptions options)
    {
        writer.WriteStartObject();
        writer.WriteString("name", value.Name);
        // What is as by default is left out where older records have no such key: they read the same.
        if (value.Workload != Workload.Loopback)
            writer.WriteString("workload", Kebab.Of(value.Workload));
        WriteList(writer, "arms", [.. value.Arms.Select(arm => arm.Name)]);
        WriteList(writer, "users", value.Users);
        if (value.Messages != 1)
            writer.WriteNumber("messages", value.Messages);
        writer.WriteNumber("iterations", value.Iterations);
        writer.WriteNumber("blocks", value.Blocks);
        writer.WriteNumber("warmUps", value.WarmUps);
        writer.WriteString("arrival", value.Arrival.ToString());
        writer.WriteString("deadline", Duration.Text(value.Deadline));
        writer.WriteNumber("payloadBytes", value.PayloadBytes);
        writer.WriteBoolean("receipts", value.Receipts);
        writer.WriteBoolean("pinning", value.Pinning);
        writer.WriteString("queueLatency", value.QueueLatency.ToString());
        writer.WriteNumber("pubsubNodes", value.PubSubNodes);
        if (value.Visibility is { } visibility)
            writer.WriteString("visibility", Duration.Text(visibility));
        if (value.Fault is not NoFault)
            FaultJson.Write(writer, value.Fault);
        writer.WriteBoolean("floor", value.Floor);
        writer.WriteNumber("seed", value.Seed);
        WriteList(writer, "gates", value.Gates);
        WriteMargins(writer, value.Margins);
        if (value.Quick is { } quick)
        {
            writer.WriteStartObject("quick");
            WriteList(writer, "users", quick.Users);
            writer.WriteNumber("iterations", quick.Iterations);
            writer.WriteNumber("blocks", quick.Blocks);
            writer.WriteEndObject();
        }

        writer.WriteEndObject();
    }

    // Left out where there are none: records that were made before there were margins read the same.
    private static void WriteMargins(Utf8JsonWriter writer, Margins margins)
    {
        if (margins == Margins.None)
            return;
        writer.WriteStartObject("margins");
        foreach (var (key, margin) in new[] { ("latency", margins.Latency), ("bytes", margins.Bytes), ("loss", margins.Loss) })
        {
            if (margin is not null)
                writer.WriteString(key, margin.Text);
        }

        writer.WriteEndObject();
    }

    private static void WriteList<T>(Utf8JsonWriter writer, string key, IReadOnlyList<T> values)
    {
        writer.WritePropertyName(key);
        writer.WriteRawValue(JsonSerializer.Serialize(values));
    }

    private static Scenario Read(JsonElement root)
    {
        if (root.ValueKind != JsonValueKind.Object)
            throw new ScenarioException("A scenario is a JSON object.");
        var scenario = new Scenario { Name = "", Users = [] };
        foreach (var property in root.EnumerateObject())
            scenario = With(scenario, property.Name, property.Value);
        return scenario with
        {
            Arms = root.TryGetProperty("arms", out var arms) ? ReadArms(scenario.Name, arms) : Arms.Of(scenario.Fault.DefaultArms),
        };
    }

    private static Scenario With(Scenario scenario, string key, JsonElement value) => key switch
    {
        // Lets an editor know the schema; means nothing to us.
        "$schema" => scenario,
        "name" => scenario with { Name = JsonValue.Text(key, value) },
        "workload" => scenario with { Workload = JsonValue.Named<Workload>(key, value) },
        "arms" => scenario, // Read last: what is wrong with them is said with the scenario's name.
        "users" => scenario with { Users = JsonValue.Numbers(key, value) },
        "messages" => scenario with { Messages = JsonValue.Number(key, value) },
        "iterations" => scenario with { Iterations = JsonValue.Number(key, value) },
        "blocks" => scenario with { Blocks = JsonValue.Number(key, value) },
        "warmUps" => scenario with { WarmUps = JsonValue.Number(key, value) },
        "arrival" => scenario with { Arrival = Arrival.Parse(JsonValue.Text(key, value)) },
        "deadline" => scenario with { Deadline = Duration.Parse(JsonValue.Text(key, value)) },
        "payloadBytes" => scenario with { PayloadBytes = JsonValue.Number(key, value) },
        "receipts" => scenario with { Receipts = JsonValue.Truth(key, value) },
        "pinning" => scenario with { Pinning = JsonValue.Truth(key, value) },
        "queueLatency" => scenario with { QueueLatency = QueueLatency.Parse(JsonValue.Text(key, value)) },
        "pubsubNodes" => scenario with { PubSubNodes = JsonValue.Number(key, value) },
        "visibility" => scenario with { Visibility = JsonValue.Time(key, value) },
        "fault" => scenario with { Fault = FaultJson.Read(value) },
        "floor" => scenario with { Floor = JsonValue.Truth(key, value) },
        "seed" => scenario with { Seed = JsonValue.Long(key, value) },
        "gates" => scenario with { Gates = JsonValue.Texts(key, value) },
        "margins" => scenario with { Margins = ReadMargins(value) },
        "quick" => scenario with { Quick = ReadQuick(value) },
        _ => throw new ScenarioException($"The key '{key}' is not known in a scenario: {Keys}."),
    };

    private static IReadOnlyList<Arm> ReadArms(string scenario, JsonElement root) =>
        [.. JsonValue.Texts("arms", root).Select(name => Arms.Find(name) ?? throw new ScenarioException(
            $"'arms' of scenario '{scenario}' names '{name}': direct, {Arms.Buffered} and pubsub are known."))];

    private static Margins ReadMargins(JsonElement root)
    {
        if (root.ValueKind != JsonValueKind.Object)
            throw new ScenarioException("'margins' must be an object with latency, bytes and loss, or some of them.");
        var margins = Margins.None;
        foreach (var property in root.EnumerateObject())
        {
            margins = property.Name switch
            {
                "latency" => margins with { Latency = Margin.OfLatency(JsonValue.Text("margins.latency", property.Value)) },
                "bytes" => margins with { Bytes = Margin.OfBytes(JsonValue.Text("margins.bytes", property.Value)) },
                "loss" => margins with { Loss = Margin.OfLoss(JsonValue.Text("margins.loss", property.Value)) },
                var other => throw new ScenarioException($"The key '{other}' is not known in 'margins': latency, bytes, loss."),
            };
        }

        return margins;
    }

    private static QuickForm ReadQuick(JsonElement root)
    {
        if (root.ValueKind != JsonValueKind.Object)
            throw new ScenarioException("'quick' must be an object with users, iterations and blocks.");
        var quick = new QuickForm([], 5, 1);
        foreach (var property in root.EnumerateObject())
        {
            quick = property.Name switch
            {
                "users" => quick with { Users = JsonValue.Numbers("quick.users", property.Value) },
                "iterations" => quick with { Iterations = JsonValue.Number("quick.iterations", property.Value) },
                "blocks" => quick with { Blocks = JsonValue.Number("quick.blocks", property.Value) },
                var other => throw new ScenarioException($"The key '{other}' is not known in 'quick': users, iterations, blocks."),
            };
        }

        return quick;
    }
}
