namespace PubSubOverWs.Record.Scenarios;

/// <summary>Reads and writes scenarios. Omitted keys get their defaults; unknown keys are refused by name.</summary>
public sealed class ScenarioJson : JsonConverter<Scenario>
{
    private const string Experiment = "experiment";

    private static readonly JsonDocumentOptions Lenient = new() { CommentHandling = JsonCommentHandling.Skip, AllowTrailingCommas = true };

    /// <summary>A scenario on one line.</summary>
    public static JsonSerializerOptions Options { get; } = new() { Converters = { new ScenarioJson() } };

    public override bool CanConvert(Type typeToConvert) => typeof(Scenario).IsAssignableFrom(typeToConvert);

    /// <summary>Reads a scenario file's text.</summary>
    /// <param name="source">The file's name, for the sentence.</param>
    /// <exception cref="ScenarioException">It is no JSON, or a key or a value is not known or out of its range.</exception>
    public static Scenario Parse(string text, string source)
    {
        ScenarioException.ThrowUnless(
            !string.IsNullOrWhiteSpace(text), $"{source} is empty: write a scenario into it, or have init NAME write one to change.");
        try
        {
            using var document = JsonDocument.Parse(text, Lenient);
            return Read(document.RootElement);
        }
        catch (JsonException e)
        {
            throw new ScenarioException($"{source} is not JSON{Place(text, e)}: {Words(e)}", e);
        }
        catch (ScenarioException e)
        {
            throw new ScenarioException($"{source}: {e.Message}", e);
        }
    }

    public override Scenario Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        using var document = JsonDocument.ParseValue(ref reader);
        return Read(document.RootElement);
    }

    public override void Write(Utf8JsonWriter writer, Scenario value, JsonSerializerOptions options)
    {
        writer.WriteStartObject();
        foreach (var key in value.Kind.Keys)
        {
            key.Write(writer, value);
            // Scenarios of the first experiment do not name it: they are older than the second.
            if (key.Name == "name" && value.Kind != ScenarioKinds.First)
                writer.WriteString(Experiment, value.Kind.Name);
        }

        writer.WriteEndObject();
    }

    /// <exception cref="ScenarioException">It is not known.</exception>
    public static ScenarioKind KindOf(JsonElement root) =>
        root.ValueKind == JsonValueKind.Object && root.TryGetProperty(Experiment, out var named)
            ? ScenarioKinds.Find(JsonValue.Text(Experiment, named))
            : ScenarioKinds.First;

    // The reader speaks of its own depth where a file ends too early.
    private static string Words(JsonException error) => error.Message.Contains("depth to be zero", StringComparison.Ordinal)
        ? "it ends before the last } or ]."
        : error.Message.Split(" LineNumber:")[0];

    // The exception counts lines and bytes from 0.
    private static string Place(string text, JsonException error)
    {
        if (error is not { LineNumber: { } line, BytePositionInLine: { } at })
            return "";
        var bytes = Encoding.UTF8.GetBytes(text.Split('\n')[line]);
        return Invariant($" at line {line + 1}, column {Encoding.UTF8.GetCharCount(bytes, 0, (int)Math.Min(at, bytes.Length)) + 1}");
    }

    private static Scenario Read(JsonElement root)
    {
        if (root.ValueKind != JsonValueKind.Object)
            throw new ScenarioException("A scenario is a JSON object.");
        // The last would count, and the others say nothing.
        if (root.EnumerateObject().CountBy(property => property.Name).FirstOrDefault(key => key.Value > 1) is { Key: { } repeated })
            throw new ScenarioException($"The key '{repeated}' is in the scenario more than once: keep one of them.");
        var kind = KindOf(root);
        // Arms last: their default depends on other keys, and errors about them use the scenario's name.
        var scenario = root.EnumerateObject().OrderBy(property => property.Name == "arms")
            .Aggregate(kind.Empty(), (read, property) => With(read, property));
        return (root.TryGetProperty("arms", out _)
            ? scenario
            : scenario with { Arms = [.. scenario.DefaultArms.Select(name => kind.FindArm(name)!)] }).Checked();
    }

    private static Scenario With(Scenario scenario, JsonProperty property) => property.Name switch
    {
        // Lets an editor know the schema; means nothing to us.
        "$schema" or Experiment => scenario,
        var name => (scenario.Kind.Keys.FirstOrDefault(key => key.Name == name)
            ?? throw new ScenarioException(
                $"The key '{name}' is not known in a scenario{Spelling.Among(name, [.. scenario.Kind.Keys.Select(key => key.Name)])}."))
            .ReadNamed(scenario, name, property.Value),
    };
}
