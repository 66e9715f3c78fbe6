using System.Buffers;

namespace PubSubOverWs.Record.Scenarios;

/// <summary>A key of a scenario: how it is read and written.</summary>
/// <param name="Name">As in the file.</param>
/// <param name="Read">The scenario with the key's value; the text is how messages call the key.</param>
/// <param name="Write">Writes key and value, or nothing where the value is left out.</param>
public sealed record ScenarioKey(
    string Name, Func<Scenario, string, JsonElement, Scenario> Read, Action<Utf8JsonWriter, Scenario> Write)
{
    /// <summary>The key of the load processes that share the clients.</summary>
    public const string Workers = "workers";

    /// <param name="isWritten">False: it is as by default, and older records have no such key. Null: it is always written.</param>
    public static ScenarioKey Number<T>(string name, Func<T, int> get, Func<T, int, T> set, Func<T, bool>? isWritten = null)
        where T : Scenario =>
        Create(name, (scenario, key, value) => set(scenario, JsonValue.Number(key, value)), (writer, scenario) =>
            writer.WriteNumber(name, get(scenario)), isWritten);

    /// <inheritdoc cref="Number"/>
    public static ScenarioKey Numbers<T>(string name, Func<T, IReadOnlyList<int>> get, Func<T, IReadOnlyList<int>, T> set) where T
        : Scenario =>
        Create<T>(name, (scenario, key, value) => set(scenario, JsonValue.Numbers(key, value)), (writer, scenario) =>
            WriteList(writer, name, get(scenario))).NamingLevels<T>(scenario => set(scenario, [.. get(scenario).Order()]));

    /// <inheritdoc cref="Number"/>
    public static ScenarioKey Truth<T>(string name, Func<T, bool> get, Func<T, bool, T> set) where T : Scenario =>
        Create<T>(name, (scenario, key, value) => set(scenario, JsonValue.Truth(key, value)), (writer, scenario) =>
            writer.WriteBoolean(name, get(scenario)));

    /// <inheritdoc cref="Number"/>
    public static ScenarioKey Text<T>(string name, Func<T, string> get, Func<T, string, T> set, Func<T, bool>? isWritten = null)
        where T : Scenario =>
        Create(name, (scenario, key, value) => set(scenario, JsonValue.Text(key, value)), (writer, scenario) =>
            writer.WriteString(name, get(scenario)), isWritten);

    /// <inheritdoc cref="Number"/>
    public static ScenarioKey Time<T>(string name, Func<T, TimeSpan> get, Func<T, TimeSpan, T> set) where T : Scenario =>
        Text<T>(name, scenario => Duration.Text(get(scenario)), (scenario, value) => set(scenario, Duration.Parse(value)));

    /// <inheritdoc cref="Number"/>
    public static ScenarioKey Create<T>(
        string name, Func<T, string, JsonElement, T> read, Action<Utf8JsonWriter, T> write, Func<T, bool>? isWritten = null)
        where T : Scenario => new(name, (scenario, key, value) => read((T)scenario, key, value), (writer, scenario) =>
        {
            if (isWritten?.Invoke((T)scenario) ?? true)
                write(writer, (T)scenario);
        });

    /// <summary>
    /// True: it says which levels there are, or how large they are. Two runs that differ in nothing else can have levels in common.
    /// </summary>
    public bool IsOfLevels { get; init; }

    /// <summary>Puts the levels that it names in order, from low to high; null: it names none.</summary>
    public Func<Scenario, Scenario>? Sort { get; init; }

    /// <summary>Applied first when a run sets the key; null: nothing.</summary>
    public Func<Scenario, Scenario>? Then { get; init; }

    /// <summary>The option of <c>run</c> that sets the key, named after it, such as <c>--queue-latency</c>; null: it has none.</summary>
    public KeyOption? Option { get; init; }

    /// <summary>The same key, as one that names the levels.</summary>
    /// <param name="sort">The scenario with them in order, from low to high.</param>
    public ScenarioKey NamingLevels<T>(Func<T, T> sort) where T : Scenario =>
        this with { IsOfLevels = true, Sort = scenario => sort((T)scenario) };

    /// <summary>As <see cref="Read"/>, of a file: every refusal names the key.</summary>
    /// <exception cref="ScenarioException">It is no value of this key.</exception>
    internal Scenario ReadNamed(Scenario scenario, string key, JsonElement value) => JsonValue.Keyed(key, () => Read(scenario, key, value));

    /// <summary>The scenario with a value from the command line: JSON, or JSON without brackets and quotes.</summary>
    /// <exception cref="ScenarioException">It is no value of this key.</exception>
    public Scenario ReadText(Scenario scenario, string text)
    {
        List<ScenarioException> refusals = [];
        string[] candidates =
            [text, $"[{text}]", JsonSerializer.Serialize(text), JsonSerializer.Serialize(text.Split(',', StringSplitOptions.TrimEntries))];
        foreach (var json in candidates)
        {
            try
            {
                using var document = JsonDocument.Parse(json);
                return Read(scenario, Name, document.RootElement);
            }
            catch (JsonException)
            {
                // Not meant as this.
            }
            catch (ScenarioException refused)
            {
                refusals.Add(refused);
            }
        }

        // A value of the right kind that is refused says more than one of another kind.
        throw refusals.Find(one => !one.IsOfKind) ?? refusals[0];
    }

    /// <summary>The scenario <paramref name="to"/> with the value of another.</summary>
    internal Scenario Copy(Scenario from, Scenario to)
    {
        var written = new ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(written))
        {
            writer.WriteStartObject();
            Write(writer, from);
            writer.WriteEndObject();
        }

        using var document = JsonDocument.Parse(written.WrittenMemory);
        return Read(to, Name, document.RootElement.GetProperty(Name));
    }

    internal static void WriteList<T>(Utf8JsonWriter writer, string key, IReadOnlyList<T> values)
    {
        writer.WritePropertyName(key);
        writer.WriteRawValue(JsonSerializer.Serialize(values));
    }
}

/// <summary>An option that sets a key of a scenario.</summary>
/// <param name="Form">How its value is written, such as <c>N,N,..</c>.</param>
public sealed record KeyOption(string Form, string Help, KeyGroup Group = KeyGroup.Load)
{
    /// <summary>Words that shells complete; empty: its values are not words.</summary>
    public IEnumerable<string> Words { get; init; } = [];
}

/// <summary>What a key of a scenario is about.</summary>
public enum KeyGroup
{
    /// <summary>Who sends what, and how often.</summary>
    Load,

    /// <summary>What is compared.</summary>
    Arms,

    /// <summary>What is broken on purpose.</summary>
    Faults,

    /// <summary>What stands behind a server.</summary>
    Queue,
}
