using System.Text.Json;
using PubSubOverWs.LoadTest.Experiments.Paper;
using PubSubOverWs.LoadTest.Experiments.Paper.Faults;
using PubSubOverWs.LoadTest.Experiments.Paper.Predictions;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Formats;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Tests.Repository;

namespace PubSubOverWs.Tests.Record.Files;

/// <summary>The schemas in docs/ say what the program writes and reads, key by key.</summary>
public sealed class SchemaTests
{
    [Fact]
    public void The_schema_of_a_run_has_exactly_the_keys_that_are_written()
    {
        using var folder = new TemporaryFolder();
        var scenario = Some.Scenario with
        {
            Workload = Workload.Pairs,
            Messages = 20,
            MostWarmUps = 4,
            Visibility = TimeSpan.FromSeconds(5),
            MaxInFlight = 1_000,
            LoadProcesses = 2,
            Fault = new ChurnFault(),
            Quick = QuickForm.From(
                ("users", "[10]"), ("messages", "30"), ("iterations", "1"), ("blocks", "1"), ("arrival", "\"spread:40s\""),
                ("fault", "\"churn\"")),
            Margins = new Margins(Margin.OfLatency("10%"), Margin.OfBytes("0.4%"), Margin.OfLoss("0.1%")),
        };
        var all = Some.RunOf(scenario) with { Prediction = FaultExpectations.Registered(scenario) };
        var setUp = all.SetUp with { SqsClient = "http", Client = ClientKind.Browser, Browser = new BrowserRecord("156.0.1.2", 5) };
        RecordWriter.Create(folder.Path, all with { SetUp = setUp }).Dispose();
        using var run = JsonDocument.Parse(File.ReadAllText(folder.Of("run.json")));
        using var schema = Schema("run");
        Same("run.json", schema.RootElement, run.RootElement);
    }

    [Fact]
    public void Every_key_of_a_scenarios_schema_is_read()
    {
        using var schema = Schema("scenario");
        foreach (var key in schema.RootElement.GetProperty("properties").EnumerateObject())
        {
            // A value of no kind: a known key complains of its value, an unknown one of the key.
            var refused = ScenarioKinds.All.Select(kind => Xunit.Record.Exception(
                () => ScenarioJson.Parse($$"""{ "experiment": "{{kind.Name}}", "{{key.Name}}": null }""", "x")));
            Assert.Contains(
                refused, one => !Assert.IsType<ScenarioException>(one).Message.Contains("is not known", StringComparison.Ordinal));
        }
    }

    [Fact]
    public void The_schemas_are_also_of_experiments_with_other_arms_and_factors_than_the_first()
    {
        using var scenario = Schema("scenario");
        var gate = scenario.RootElement.GetProperty("properties").GetProperty("gates").GetProperty("items").GetProperty("pattern");
        Assert.All(
            ScenarioKinds.All.SelectMany(kind => kind.Arms), arm => Assert.Matches(gate.GetString()!, $"warn: {arm.Name}.loss == 0"));

        using var run = Schema("run");
        var step = run.RootElement.GetProperty("properties").GetProperty("order").GetProperty("items");
        Assert.Equal(JsonValueKind.Object, step.GetProperty("additionalProperties").ValueKind);
        Assert.DoesNotContain("users", step.GetProperty("required").EnumerateArray().Select(key => key.GetString()));
        Assert.False(step.GetProperty("properties").GetProperty("arms").GetProperty("items").TryGetProperty("enum", out _));
    }

    // Of the scenarios of other experiments than the first, which is written here.
    private static IEnumerable<string> KeysOfOthers => ScenarioKinds.All.SelectMany(kind => kind.Keys).Select(key => key.Name)
        .Except(ScenarioKinds.First.Keys.Select(key => key.Name));

    private static IEnumerable<string> QuickKeysOfOthers => ScenarioKinds.All.SelectMany(kind => kind.QuickKeys)
        .Except(ScenarioKinds.First.QuickKeys);

    private static JsonDocument Schema(string name) => JsonDocument.Parse(SourceTree.Read($"docs/{name}.schema.json"));

    private static void Same(string where, JsonElement schema, JsonElement value)
    {
        if (schema.TryGetProperty("$ref", out var other))
        {
            using var document = JsonDocument.Parse(SourceTree.Read($"docs/{other.GetString()}"));
            Same(where, document.RootElement, value);
            return;
        }

        if (value.ValueKind == JsonValueKind.Array && schema.TryGetProperty("items", out var items))
        {
            foreach (var item in value.EnumerateArray())
                Same($"{where}[]", items, item);
        }

        if (value.ValueKind != JsonValueKind.Object || !schema.TryGetProperty("properties", out var properties))
            return;
        // A scenario of the first experiment does not name it, and its factor has no names.
        var others = where.EndsWith(".quick", StringComparison.Ordinal) ? QuickKeysOfOthers : KeysOfOthers;
        var known = properties.EnumerateObject().Select(key => key.Name)
            .Where(key => key != "$schema" && (key != "experiment" || !where.EndsWith(".scenario", StringComparison.Ordinal))
                && (key != "names" || !where.EndsWith(".factors[]", StringComparison.Ordinal)) && !others.Contains(key))
            .Order(StringComparer.Ordinal);
        var written = value.EnumerateObject().Select(key => key.Name).Order(StringComparer.Ordinal);
        Assert.Equal($"{where}: {string.Join(' ', known)}", $"{where}: {string.Join(' ', written)}");
        foreach (var key in value.EnumerateObject())
            Same($"{where}.{key.Name}", properties.GetProperty(key.Name), key.Value);
    }
}
