namespace PubSubOverWs.Record.Scenarios;

/// <summary>The keys that scenarios of every experiment have.</summary>
internal static class CommonKeys
{
    public static ScenarioKey Name { get; } =
        ScenarioKey.Text<Scenario>("name", scenario => scenario.Name, (scenario, value) => scenario with { Name = value });

    public static ScenarioKey Arms { get; } = ScenarioKey.Create<Scenario>(
        "arms", ReadArms, (writer, scenario) => ScenarioKey.WriteList(writer, "arms", [.. scenario.Arms.Select(arm => arm.Name)]));

    public static ScenarioKey Iterations { get; } = ScenarioKey.Number<Scenario>(
        "iterations", scenario => scenario.Iterations, (scenario, value) => scenario with { Iterations = value });

    public static ScenarioKey Blocks { get; } =
        ScenarioKey.Number<Scenario>("blocks", scenario => scenario.Blocks, (scenario, value) => scenario with { Blocks = value });

    public static ScenarioKey WarmUps { get; } =
        ScenarioKey.Number<Scenario>("warmUps", scenario => scenario.WarmUps, (scenario, value) => scenario with { WarmUps = value });

    // Left out where it is 0: records that were made before there was such a rule read the same.
    public static ScenarioKey MostWarmUps { get; } = ScenarioKey.Number<Scenario>(
        "mostWarmUps", scenario => scenario.MostWarmUps, (scenario, value) => scenario with { MostWarmUps = value },
        scenario => scenario.MostWarmUps != 0);

    public static ScenarioKey Deadline { get; } = ScenarioKey.Text<Scenario>(
        "deadline", scenario => Duration.Text(scenario.Deadline), (scenario, value) => scenario with { Deadline = Duration.Parse(value) });

    public static ScenarioKey PayloadBytes { get; } = ScenarioKey.Number<Scenario>(
        "payloadBytes", scenario => scenario.PayloadBytes, (scenario, value) => scenario with { PayloadBytes = value });

    public static ScenarioKey Receipts { get; } =
        ScenarioKey.Truth<Scenario>("receipts", scenario => scenario.Receipts, (scenario, value) => scenario with { Receipts = value });

    public static ScenarioKey Pinning { get; } =
        ScenarioKey.Truth<Scenario>("pinning", scenario => scenario.Pinning, (scenario, value) => scenario with { Pinning = value });

    public static ScenarioKey Floor { get; } =
        ScenarioKey.Truth<Scenario>("floor", scenario => scenario.Floor, (scenario, value) => scenario with { Floor = value });

    public static ScenarioKey Seed { get; } = ScenarioKey.Create<Scenario>(
        "seed", (scenario, key, value) => scenario with { Seed = JsonValue.Long(key, value) },
        (writer, scenario) => writer.WriteNumber("seed", scenario.Seed));

    public static ScenarioKey Gates { get; } = ScenarioKey.Create<Scenario>(
        "gates", (scenario, key, value) => scenario with { Gates = JsonValue.Texts(key, value) },
        (writer, scenario) => ScenarioKey.WriteList(writer, "gates", scenario.Gates));

    // Left out where there are none: records that were made before there were margins read the same.
    public static ScenarioKey Margins { get; } = ScenarioKey.Create<Scenario>(
        "margins", (scenario, _, value) => scenario with { Margins = ReadMargins(value) }, WriteMargins,
        scenario => scenario.Margins != Scenarios.Margins.None);

    public static ScenarioKey Quick { get; } = ScenarioKey.Create<Scenario>(
        "quick", (scenario, _, value) => scenario with { Quick = ReadQuick(scenario.Kind, value) }, WriteQuick,
        scenario => scenario.Quick is not null);

    private static Scenario ReadArms(Scenario scenario, string key, JsonElement value) => scenario with
    {
        Arms = [.. JsonValue.Texts(key, value).Select(name => scenario.Kind.FindArm(name) ?? throw new ScenarioException(
            $"'arms' of scenario '{scenario.Name}' names '{name}'{Spelling.Meant(name, scenario.Kind.Arms.Select(arm => arm.Name))}: "
                + $"{KnownArms(scenario.Kind)} are known."))],
    };

    private static string KnownArms(ScenarioKind kind) =>
        $"{string.Join(", ", kind.Arms.SkipLast(1))} and {kind.Arms[^1]}";

    private static Margins ReadMargins(JsonElement root)
    {
        if (root.ValueKind != JsonValueKind.Object)
            throw new ScenarioException("'margins' must be an object with latency, bytes and loss, or some of them.");
        var margins = Scenarios.Margins.None;
        foreach (var property in root.EnumerateObject())
        {
            margins = property.Name switch
            {
                "latency" => margins with { Latency = Margin.OfLatency(JsonValue.Text("margins.latency", property.Value)) },
                "bytes" => margins with { Bytes = Margin.OfBytes(JsonValue.Text("margins.bytes", property.Value)) },
                "loss" => margins with { Loss = Margin.OfLoss(JsonValue.Text("margins.loss", property.Value)) },
                var other => throw new ScenarioException(
                    $"The key '{other}' is not known in 'margins'{Spelling.Among(other, "latency", "bytes", "loss")}."),
            };
        }

        return margins;
    }

    private static void WriteMargins(Utf8JsonWriter writer, Scenario scenario)
    {
        var margins = scenario.Margins;
        writer.WriteStartObject("margins");
        foreach (var (key, margin) in new[] { ("latency", margins.Latency), ("bytes", margins.Bytes), ("loss", margins.Loss) })
        {
            if (margin is not null)
                writer.WriteString(key, margin.Text);
        }

        writer.WriteEndObject();
    }

    private static QuickForm ReadQuick(ScenarioKind kind, JsonElement root)
    {
        if (root.ValueKind != JsonValueKind.Object)
            throw new ScenarioException(
                $"'quick' must be an object with {string.Join(", ", kind.QuickKeys.SkipLast(1))} and {kind.QuickKeys[^1]}.");
        var values = new List<KeyValuePair<string, string>>();
        foreach (var property in root.EnumerateObject())
        {
            if (!kind.QuickKeys.Contains(property.Name))
                throw new ScenarioException(
                    $"The key '{property.Name}' is not known in 'quick'{Spelling.Among(property.Name, kind.QuickKeys)}.");
            values.Add(KeyValuePair.Create(property.Name, property.Value.GetRawText()));
        }

        return new QuickForm(values);
    }

    private static void WriteQuick(Utf8JsonWriter writer, Scenario scenario)
    {
        writer.WriteStartObject("quick");
        foreach (var (key, json) in scenario.Quick!.Values)
        {
            writer.WritePropertyName(key);
            writer.WriteRawValue(json);
        }

        writer.WriteEndObject();
    }
}
