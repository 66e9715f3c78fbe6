using System.Text.Json;
using PubSubOverWs.Record.Formats;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Tests.Repository;

namespace PubSubOverWs.Tests.Record.Scenarios;

public sealed class ScenarioJsonTests
{
    private static readonly JsonSerializerOptions Options = new() { Converters = { new ScenarioJson() } };

    [Fact]
    public void Omitted_keys_get_their_defaults()
    {
        var scenario = ScenarioJson.Parse("""{ "name": "small", "users": [10] }""", "small.json");
        Assert.Equal((30, 5, 2, 100, TimeSpan.FromSeconds(10), true), (
            scenario.Iterations, scenario.Blocks, scenario.WarmUps, scenario.PayloadBytes, scenario.Deadline,
                scenario.OneWay().Arrival.IsBurst));
    }

    [Fact]
    public void A_resolved_scenario_is_read_back_as_it_was()
    {
        var scenario = Some.Scenario with
        {
            Arrival = Arrival.Parse("spread:2.5s"),
            Gates = ["pubsub.loss == 0"],
            Quick = QuickForm.From(("users", "[10]"), ("iterations", "2"), ("blocks", "1"))
        };
        Assert.Equivalent(
            scenario, JsonSerializer.Deserialize<Scenario>(JsonSerializer.Serialize(scenario, Options), Options), strict: true);
    }

    [Theory]
    [InlineData("paper", 6, 30, 5)]
    [InlineData("smoke", 2, 3, 1)]
    [InlineData("kills", 1, 10, 5)]
    public void The_scenarios_that_come_with_the_program_can_be_run(string name, int levels, int iterations, int blocks)
    {
        var file = Path.Combine(AppContext.BaseDirectory, "scenarios", $"{name}.json");
        var scenario = ScenarioJson.Parse(File.ReadAllText(file), file);
        Assert.Equal((name, levels, iterations, blocks),
            (scenario.Name, scenario.OneWay().Users.Count, scenario.Iterations, scenario.Blocks));
    }

    [Fact]
    public void The_quick_form_of_the_paper_is_one_block_of_five_up_to_1000_users()
    {
        var quick = ScenarioJson.Parse(File.ReadAllText(Path.Combine(AppContext.BaseDirectory, "scenarios", "paper.json")), "paper.json")
            .ToQuick();
        Assert.Equal([50, 100, 500, 1000], quick.OneWay().Users);
        Assert.Equal((5, 1), (quick.Iterations, quick.Blocks));
    }

    [Fact]
    public void The_kills_are_200_over_a_million_messages_and_in_the_quick_form_3_over_15_000()
    {
        var file = Path.Combine(AppContext.BaseDirectory, "scenarios", "kills.json");
        var kills = ScenarioJson.Parse(File.ReadAllText(file), file);

        Assert.Equal(
            (200, 1_000_000L),
            (kills.OneWay().Fault.Restart!.Times * kills.Iterations, kills.Attempts(Some.Level(100)) * kills.Iterations));
        var quick = kills.ToQuick();
        Assert.Equal((3, 15_000L, 1), (quick.OneWay().Fault.Restart!.Times, quick.Attempts(Some.Level(100)), quick.Iterations));
    }

    [Fact]
    public void A_quick_form_is_written_as_it_was_read()
    {
        const string Quick = """{"arrival":"spread:15s","fault":"none","messages":150}""";
        var scenario = ScenarioJson.Parse($$"""{ "name": "x", "users": [10], "quick": {{Quick}} }""", "x.json");

        Assert.Contains($"\"quick\":{Quick}", JsonSerializer.Serialize<Scenario>(scenario, Options), StringComparison.Ordinal);
    }

    [Fact]
    public void A_scenario_without_a_quick_form_says_so() =>
        Assert.Contains("no quick form", Assert.Throws<ScenarioException>(Some.Scenario.ToQuick).Message, StringComparison.Ordinal);

    [Theory]
    [InlineData("""{ "name": "x", "users": [1], "itterations": 3 }""", "'itterations'")]
    [InlineData("""{ "name": "x", "users": [1], "quick": { "userz": [1] } }""", "'userz'")]
    [InlineData("""{ "name": "x", "users": [1], "iterations": "3" }""", "'iterations' is \"3\"")]
    [InlineData("""{ "name": "x", "users": [1], "iterations": 0 }""", "'iterations' of scenario 'x' is 0")]
    [InlineData("""{ "name": "x", "users": [1], "iterations": 2, "blocks": 3 }""", "from 1 to 2")]
    [InlineData("""{ "name": "x", "users": [0] }""", "'users' of scenario 'x' is 0")]
    [InlineData("""{ "name": "x", "users": [] }""", "'users'")]
    [InlineData("""{ "name": "x" }""", "'users'")]
    [InlineData("""{ "name": "../x", "users": [1] }""", "'../x'")]
    [InlineData("""{ "name": "x", "users": [1], "arms": ["rabbit"] }""", "'rabbit'")]
    [InlineData("""{ "name": "x", "users": [1], "arrival": "poisson" }""", "'poisson'")]
    [InlineData("""{ "name": "x", "users": [1], "arrival": "spread:0s" }""", "'spread:0s'")]
    [InlineData("""{ "name": "x", "users": [1], "deadline": "30x" }""", "'deadline': '30x' is not a duration: write a number with ms, ")]
    [InlineData("""{ "name": "x", "users": [1], "arrival": "spread:30x" }""", "'arrival': '30x' is not a duration")]
    [InlineData("""{ "name": "x", "users": [1], "queueLatency": "20ms,30x" }""", "'queueLatency': '30x' is not a duration")]
    [InlineData(
        """{ "name": "x", "users": [1], "workload": "pairs", "fault": { "profile": "churn", "away": "30x" } }""",
        "'fault': 'away': '30x' is not a duration")]
    [InlineData("""{ "experiment": "fan-out", "name": "x", "for": "30x" }""", "'for': '30x' is not a duration")]
    [InlineData("""{ "experiment": "transports", "name": "x", "period": "30x" }""", "'period': '30x' is not a duration")]
    [InlineData("""{ "name": "x", "users": [1], "deadline": "11m" }""", "'deadline' of scenario 'x' is 660s")]
    [InlineData("""{ "name": "x", "users": [1], "payloadBytes": 10 }""", "'payloadBytes'")]
    [InlineData("""{ "name": "x", "users": [1]""", "is not JSON at line 1, column 28: it ends before the last } or ].")]
    [InlineData(" \n", "x.json is empty: write a scenario into it, or have init NAME write one to change.")]
    [InlineData("{ \"name\": \"x\",\n  \"users\": [1,, 2] }", "is not JSON at line 2, column 15: ")]
    [InlineData("""{ "name": "\u00e4", users }""", "is not JSON at line 1, column 21: ")]
    [InlineData("""{ "name": "ä", users }""", "is not JSON at line 1, column 16: ")]
    [InlineData("""{ "name": "x", "user": [1] }""", "'user' is not known in a scenario (did you mean 'users'?): name, ")]
    [InlineData("""{ "name": "x", "users": [1], "users": [2] }""", "'users' is in the scenario more than once")]
    [InlineData("[]", "object")]
    [InlineData("""{ "experiment": "fan-in", "name": "x" }""", "'fan-in' is not known: one-way")]
    [InlineData("""{ "experiment": 1, "name": "x" }""", "'experiment'")]
    [InlineData("""{ "name": "x", "users": [1], "quick": { "receipts": true } }""", "'receipts' is not known in 'quick'")]
    [InlineData("""{ "name": "x", "users": [1], "quick": { "users": [0] } }""", "'quick.users' of scenario 'x' is 0")]
    public void Unknown_keys_and_invalid_values_are_refused_by_name(string text, string named)
    {
        var refused = Assert.Throws<ScenarioException>(() => ScenarioJson.Parse(text, "x.json"));
        Assert.StartsWith("x.json", refused.Message, StringComparison.Ordinal);
        Assert.Contains(named, refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void The_first_experiment_may_be_named_and_is_not_written()
    {
        var scenario = ScenarioJson.Parse("""{ "experiment": "one-way", "name": "x", "users": [10] }""", "x.json");

        Assert.Equal("one-way", scenario.Kind.Name);
        Assert.DoesNotContain("experiment", JsonSerializer.Serialize(scenario, Options), StringComparison.Ordinal);
    }

    [Fact]
    public void An_experiment_that_the_schema_names_has_all_its_keys_there()
    {
        using var schema = JsonDocument.Parse(SourceTree.Read("docs/scenario.schema.json"));
        var keys = schema.RootElement.GetProperty("properties");

        string?[] named = [.. keys.GetProperty("experiment").GetProperty("anyOf")[0].GetProperty("enum").EnumerateArray()
            .Select(name => name.GetString())];
        Assert.Equal(named, ScenarioKinds.All.Select(kind => kind.Name).Where(named.Contains));
        Assert.All(
            ScenarioKinds.All.Where(kind => named.Contains(kind.Name)).SelectMany(kind => kind.Keys),
            key => Assert.True(keys.TryGetProperty(key.Name, out _), key.Name));
    }

    [Fact]
    public void A_quick_form_without_users_keeps_those_of_the_scenario()
    {
        var scenario = ScenarioJson.Parse("""{ "name": "x", "users": [10, 20], "quick": { "iterations": 2 } }""", "x.json");

        var quick = scenario.ToQuick();

        Assert.Equal([10, 20], quick.OneWay().Users);
        Assert.Equal((2, 1, (QuickForm?)null), (quick.Iterations, quick.Blocks, quick.Quick));
    }
}
