using System.Text.Json.Nodes;

namespace PubSubOverWs.Record.Files;

internal static class RunJson
{
    private static readonly JsonSerializerOptions Common =
        new(JsonStyle.Read) { Converters = { new ScenarioJson(), new JsonStringEnumConverter(JsonNamingPolicy.CamelCase) } };

    // Of any names.
    private static readonly string[] Maps = ["limits", "versions", "settings"];

    public static string Write(RunRecord run) => JsonSerializer.Serialize(run, OptionsFor(run.Scenario.Kind)) + "\n";

    /// <exception cref="RecordException">It is cut, of another version, or holds what this version does not know.</exception>
    public static RunRecord Read(string path)
    {
        var file = RecordFiles.Name(path);
        var text = RecordFiles.Text(path, RecordFiles.MaxJsonBytes);
        try
        {
            using var document = JsonDocument.Parse(text);
            var root = document.RootElement;
            if (root.ValueKind != JsonValueKind.Object || !root.TryGetProperty("record", out var version))
                throw new RecordException($"{file} is not the record of a run: it has no \"record\" version.");
            if (version.ValueKind != JsonValueKind.Number || !version.TryGetInt32(out var number) || number != RunRecord.Version)
                throw new RecordException(
                    $"{file} is of record version {version.GetRawText()}, and this program reads version {RunRecord.Version}: use the "
                        + "version of the program that wrote it.");
            DemandNoNulls(root, file);
            var kind = root.TryGetProperty("scenario", out var scenario) ? ScenarioJson.KindOf(scenario) : ScenarioKinds.First;
            var run = JsonSerializer.Deserialize<RunRecord>(text, OptionsFor(kind)) ?? throw new RecordException($"{file} is empty.");
            DemandDeclared(root, run, file);
            if (run.Resumed < 0)
                throw new RecordException($"{file} has resumed {run.Resumed}, which is no count: {RecordException.Mend}.");
            return run;
        }
        catch (JsonException e)
        {
            throw RecordException.Damaged(file, e, RecordException.Mend);
        }
        catch (ScenarioException e)
        {
            throw new RecordException($"{file} has an invalid scenario: {e.Message}", e);
        }
    }

    private static JsonSerializerOptions OptionsFor(ScenarioKind kind) =>
        new(Common) { Converters = { new PlannedIterationJson(kind.Factors) } };

    // The declarations for other programs must agree with the experiment, but not their explanations: those may be put better later.
    private static void DemandDeclared(JsonElement root, RunRecord run, string file)
    {
        var known = JsonSerializer.SerializeToElement(
            new { run.Experiment, run.Arms, run.Factors, run.Flows, run.Measures, run.KeepsSamples }, Common);
        foreach (var one in known.EnumerateObject())
        {
            if (!root.TryGetProperty(one.Name, out var written) || !JsonNode.DeepEquals(Unexplained(written), Unexplained(one.Value)))
                throw new RecordException($"{file} has other {one.Name} than its scenario gives: {RecordException.Mend}.");
        }

        DemandKeys(JsonSerializer.SerializeToElement(run, OptionsFor(run.Scenario.Kind)), root, file);
    }

    private static JsonNode? Unexplained(JsonElement declared) => declared.ValueKind switch
    {
        JsonValueKind.Object => new JsonObject(declared.EnumerateObject().Where(one => one.Name is not ("about" or "text" or "words"))
            .Select(one => KeyValuePair.Create(one.Name, Unexplained(one.Value)))),
        JsonValueKind.Array => new JsonArray([.. declared.EnumerateArray().Select(Unexplained)]),
        _ => JsonSerializer.SerializeToNode(declared),
    };

    // A key that is not there would get its default, such as a check that held: a record has all that is written without a condition.
    private static void DemandKeys(JsonElement written, JsonElement read, string where)
    {
        if (written.ValueKind == JsonValueKind.Array && read.ValueKind == JsonValueKind.Array)
        {
            foreach (var (one, other) in written.EnumerateArray().Zip(read.EnumerateArray()))
                DemandKeys(one, other, where);
        }
        else if (written.ValueKind == JsonValueKind.Object && read.ValueKind == JsonValueKind.Object)
        {
            foreach (var one in written.EnumerateObject())
            {
                if (!read.TryGetProperty(one.Name, out var value))
                    throw new RecordException($"{where} has no {one.Name}: {RecordException.Mend}.");
                DemandKeys(one.Value, value, $"{where}, {one.Name}");
            }
        }
    }

    // The serializer accepts null in lists and in maps.
    private static void DemandNoNulls(JsonElement element, string where, string name = "", bool mayBeNull = true)
    {
        if (!mayBeNull && element.ValueKind == JsonValueKind.Null)
            throw new RecordException($"{where} is null and must have a value: {RecordException.Mend}.");
        if (element.ValueKind == JsonValueKind.Array)
        {
            foreach (var item in element.EnumerateArray())
                DemandNoNulls(item, where, mayBeNull: false);
        }
        else if (element.ValueKind == JsonValueKind.Object)
        {
            foreach (var property in element.EnumerateObject())
                DemandNoNulls(property.Value, $"{where}, {property.Name}", property.Name, mayBeNull: !Maps.Contains(name));
        }
    }

    /// <summary>One step on one line: a full run has hundreds. The white space before it is ours, because a raw value gets none.</summary>
    private sealed class PlannedIterationJson(IReadOnlyList<Factor> factors) : JsonConverter<PlannedIteration>
    {
        private static readonly JsonSerializerOptions Compact = new()
        {
            PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
            RespectRequiredConstructorParameters = true,
            RespectNullableAnnotations = true
        };

        public override PlannedIteration Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
        {
            var read = JsonElement.ParseValue(ref reader);
            var step = read.Deserialize<Step>(Compact) ?? throw new JsonException();
            return new PlannedIteration(step.Block, LevelOf(read), step.Iteration, step.WarmUp, step.Arms);
        }

        public override void Write(Utf8JsonWriter writer, PlannedIteration value, JsonSerializerOptions options)
        {
            var step = new JsonObject { ["block"] = value.Block };
            foreach (var setting in value.Level.Settings)
                step[setting.Factor.Name] = setting.Factor.Names is null ? setting.Number : setting.Text;
            step["iteration"] = value.Iteration;
            step["warmUp"] = value.WarmUp;
            step["arms"] = new JsonArray([.. value.Arms.Select(arm => System.Text.Json.Nodes.JsonValue.Create(arm))]);
            writer.WriteRawValue("\n    " + step.ToJsonString(Compact));
        }

        private Level LevelOf(JsonElement step) => new([.. factors.Select(factor =>
            step.TryGetProperty(factor.Name, out var value) && SettingOf(factor, value) is { } setting
                ? setting
                : throw new JsonException($"A step of the plan has no {(factor.Names is null ? "number" : "name")} of {factor.Name}."))]);

        private static Setting? SettingOf(Factor factor, JsonElement value) => value.ValueKind switch
        {
            JsonValueKind.Number when factor.Names is null && value.TryGetInt32(out var number) => new Setting(factor, number),
            JsonValueKind.String when factor.Names is not null => factor.Find(value.GetString()!),
            _ => null,
        };

        private sealed record Step(int Block, int Iteration, bool WarmUp, IReadOnlyList<string> Arms);
    }
}
