using System.Text.Json;
using PubSubOverWs.LoadTest.Experiments.IdleConnections;
using PubSubOverWs.Record.Formats;
using PubSubOverWs.Record.Scenarios;

namespace PubSubOverWs.Tests.LoadTest.Experiments.IdleConnections;

public sealed class IdleConnectionsScenarioTests
{
    private const string Least = """{ "name": "x", "experiment": "idle-connections", "connections": [1000, 100000] }""";

    private static readonly JsonSerializerOptions Options = new() { Converters = { new ScenarioJson() } };

    [Theory]
    [InlineData(100_000, 19_000, 6, 6)]
    [InlineData(19_000, 19_000, 1, 2)]
    [InlineData(19_001, 19_000, 2, 2)]
    [InlineData(57_001, 19_000, 4, 4)]
    [InlineData(300_000, 18_750, 16, 16)]
    [InlineData(3, 19_000, 1, 2)]
    public void There_are_as_many_servers_and_load_processes_as_the_largest_level_needs(
        int connections, int perProcess, int servers, int processes)
    {
        var scenario = (Parse(Least) with { Connections = [2, connections], PerProcess = perProcess }).Checked();

        Assert.Equal((servers, processes), (scenario.PubSubNodes, scenario.Workers));
        Assert.All(scenario.Arms, arm => Assert.Equal(servers, scenario.SetUp(arm).Servers));
    }

    [Fact]
    public void A_level_is_a_number_of_connections_and_each_message_is_for_all_of_them()
    {
        var scenario = Parse(Least);
        var large = scenario.Levels[1];

        Assert.Equal(["1000 connections", "100000 connections"], scenario.Levels.Select(level => $"{level}"));
        Assert.Equal((5, 500_000, 100_001), (scenario.Sends(large), scenario.Attempts(large), scenario.UsersAt(large)));
        Assert.Equal((TimeSpan.FromSeconds(20.5), TimeSpan.FromSeconds(60.5)), (scenario.FirstDue, scenario.Arrivals.Spread));
    }

    [Fact]
    public void The_arms_differ_in_the_front_end_alone()
    {
        var (first, second) = (Parse(Least).SetUp(Parse(Least).Arms[0]), Parse(Least).SetUp(Parse(Least).Arms[1]));

        Assert.Equal(["pubsub", "pubsub+lean"], Parse(Least).Arms.Select(arm => arm.Name));
        Assert.Equal([KeyValuePair.Create("Relay:FrontEnd", "Lean")], second.Settings.Except(first.Settings));
        Assert.Empty(first.Settings.Except(second.Settings));
    }

    [Fact]
    public void Omitted_keys_get_their_defaults_and_the_scenario_is_written_as_it_was_read()
    {
        var scenario = Parse(Least);

        Assert.Equal((5, TimeSpan.FromSeconds(8), 19_000, 0, false, true),
            (scenario.Messages, scenario.Every, scenario.PerProcess, scenario.WarmUps, scenario.Floor, scenario.Receipts));
        var text = JsonSerializer.Serialize<Scenario>(scenario, Options);
        Assert.Equal(text, JsonSerializer.Serialize<Scenario>(Parse(text), Options));
        Assert.DoesNotContain("pubsubNodes", text, StringComparison.Ordinal);
    }

    [Fact]
    public void The_scenario_has_a_level_that_needs_several_servers_and_a_quick_form_with_one()
    {
        var scenario = Parse(File.ReadAllText(Path.Combine(AppContext.BaseDirectory, "scenarios", "idle-connections.json")));

        Assert.Equal([10_000, 100_000], scenario.Connections);
        Assert.Equal((6, 6), (scenario.PubSubNodes, scenario.Workers));
        // Servers are started afresh for every iteration, so that each begins with the same memory.
        Assert.Equal(scenario.Iterations, scenario.Blocks);
        var quick = (IdleConnectionsScenario)scenario.ToQuick();
        Assert.Equal((1, 2), (quick.PubSubNodes, quick.Workers));
        Assert.InRange(quick.Arrivals.Spread, TimeSpan.Zero, TimeSpan.FromSeconds(15));
        Assert.Contains(
            ("processes", "at most 19000 connections in each: 6 servers of each arm, and 6 load processes"),
                scenario.Describe(isPinned: false).Settings);
    }

    [Theory]
    [InlineData("""{ "name": "x", "experiment": "idle-connections", "connections": [] }""", "'connections'")]
    [InlineData("""{ "name": "x", "experiment": "idle-connections", "connections": [1] }""", "'connections'")]
    [InlineData("""{ "name": "x", "experiment": "idle-connections", "connections": [300001] }""", "'connections'")]
    [InlineData("""{ "name": "x", "experiment": "idle-connections", "connections": [5], "perProcess": 1 }""", "'perProcess'")]
    [InlineData(
        """{ "name": "x", "experiment": "idle-connections", "connections": [100000], "perProcess": 5000 }""",
        "'perProcess' of scenario 'x' is 5000, so that 100000 connections need 20 servers: at most 16 share the work.")]
    [InlineData("""{ "name": "x", "experiment": "idle-connections", "connections": [5], "messages": 101 }""", "'messages'")]
    [InlineData("""{ "name": "x", "experiment": "idle-connections", "connections": [200000], "messages": 51 }""", "at 200000 connections")]
    [InlineData("""{ "name": "x", "experiment": "idle-connections", "connections": [5], "idle": "500ms" }""", "'idle'")]
    [InlineData("""{ "name": "x", "experiment": "idle-connections", "connections": [5], "every": "50ms" }""", "'every'")]
    [InlineData("""{ "name": "x", "experiment": "idle-connections", "connections": [5], "settle": "11m" }""", "'settle'")]
    [InlineData("""{ "name": "x", "experiment": "idle-connections", "connections": [5], "workers": 3 }""", "'workers'")]
    [InlineData("""{ "name": "x", "experiment": "idle-connections", "connections": [5], "pubsubNodes": 3 }""", "'pubsubNodes'")]
    [InlineData("""{ "name": "x", "experiment": "idle-connections", "connections": [5], "arms": ["direct"] }""", "'arms'")]
    public void Invalid_values_are_refused_by_name(string text, string named) =>
        Assert.Contains(named, Assert.Throws<ScenarioException>(() => ScenarioJson.Parse(text, "x.json")).Message,
            StringComparison.Ordinal);

    private static IdleConnectionsScenario Parse(string text) => (IdleConnectionsScenario)ScenarioJson.Parse(text, "x.json");
}
