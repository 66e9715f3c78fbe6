using System.Text.Json;
using PubSubOverWs.LoadTest.Experiments.FanOut;
using PubSubOverWs.Record.Formats;
using PubSubOverWs.Record.Scenarios;

namespace PubSubOverWs.Tests.LoadTest.Experiments.FanOut;

public sealed class FanOutScenarioTests
{
    private const string Least = """{ "name": "x", "experiment": "fan-out", "subscribers": [10, 1000], "rates": [20, 50] }""";

    private static readonly JsonSerializerOptions Options = new() { Converters = { new ScenarioJson() } };

    [Fact]
    public void Levels_are_every_number_of_subscribers_with_every_rate()
    {
        var scenario = Parse(Least);

        Assert.Equal(["10-20", "10-50", "1000-20", "1000-50"], scenario.Levels.Select(level => level.Key));
        Assert.Equal("1000 subscribers, 50 messages/s", scenario.Levels[3].ToString());
        Assert.Equal((100, 100_000, 1_004), (scenario.Sends(scenario.Levels[3]), scenario.Attempts(scenario.Levels[3]),
            scenario.UsersAt(scenario.Levels[3])));
    }

    [Fact]
    public void Omitted_keys_get_their_defaults_and_the_scenario_is_written_as_it_was_read()
    {
        var scenario = Parse(Least);

        Assert.Equal(["direct", "pubsub"], scenario.Arms.Select(arm => arm.Name));
        Assert.Equal((4, TimeSpan.FromSeconds(2), false), (scenario.Publishers, scenario.For, scenario.Floor));
        var text = JsonSerializer.Serialize<Scenario>(scenario, Options);
        Assert.Equal(text, JsonSerializer.Serialize<Scenario>(Parse(text), Options));
    }

    [Theory]
    [InlineData("""{ "name": "x", "experiment": "fan-out", "subscribers": [5001], "rates": [20] }""", "'subscribers'")]
    [InlineData("""{ "name": "x", "experiment": "fan-out", "subscribers": [10], "rates": [] }""", "'rates'")]
    [InlineData("""{ "name": "x", "experiment": "fan-out", "subscribers": [10], "rates": [20], "publishers": 0 }""", "'publishers'")]
    [InlineData("""{ "name": "x", "experiment": "fan-out", "subscribers": [5000], "rates": [10000] }""", "at 5000 subscribers")]
    [InlineData("""{ "name": "x", "experiment": "fan-out", "subscribers": [10], "rates": [20], "users": [5] }""", "'users'")]
    [InlineData("""{ "name": "x", "experiment": "fan-out", "subscribers": [10], "rates": [9999], "payloadBytes": 64 }""", "'payloadBytes'")]
    public void Invalid_values_are_refused_by_name(string text, string named) =>
        Assert.Contains(named, Assert.Throws<ScenarioException>(() => ScenarioJson.Parse(text, "x.json")).Message,
            StringComparison.Ordinal);

    private static FanOutScenario Parse(string text) => (FanOutScenario)ScenarioJson.Parse(text, "x.json");
}
