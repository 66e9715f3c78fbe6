using System.Text.Json;
using PubSubOverWs.LoadTest.Experiments.StalledReaders;
using PubSubOverWs.Record.Formats;
using PubSubOverWs.Record.Scenarios;

namespace PubSubOverWs.Tests.LoadTest.Experiments.StalledReaders;

public sealed class StalledReadersScenarioTests
{
    private static readonly JsonSerializerOptions Options = new() { Converters = { new ScenarioJson() } };

    private static StalledReadersScenario Scenario
    {
        get
        {
            var file = Path.Combine(AppContext.BaseDirectory, "scenarios", "stalled-readers.json");
            return Parse(File.ReadAllText(file));
        }
    }

    [Fact]
    public void Each_server_has_every_arm_and_is_compared_with_itself_alone()
    {
        Assert.Equal(
            [
                "direct-alone", "direct-reading", "direct-stalled", "direct-disconnected",
                "pubsub-alone", "pubsub-reading", "pubsub-stalled", "pubsub-disconnected",
            ],
            Scenario.Arms.Select(arm => arm.Name));
        Assert.Equal(
            [
                "direct-stalled against direct-alone", "direct-reading against direct-alone", "direct-stalled against direct-reading",
                "pubsub-stalled against pubsub-alone", "pubsub-reading against pubsub-alone", "pubsub-stalled against pubsub-reading",
            ],
            Scenario.Contrasts.Select(contrast => contrast.ToString()));
    }

    [Fact]
    public void Arms_of_a_server_share_it_unless_it_disconnects_those_that_do_not_read()
    {
        var setUps = Scenario.Arms.ToDictionary(arm => arm.Name, Scenario.SetUp);

        Assert.All(["direct-alone", "direct-reading", "direct-stalled"], arm => Assert.Equal("direct", setUps[arm].SharedAs));
        Assert.All(setUps.Values, setUp => Assert.Equal("0x40000000", setUp.Environment["DOTNET_GCHeapHardLimit"]));
        Assert.Equal("00:00:00", setUps["pubsub-stalled"].Settings["Relay:SlowConsumerTimeout"]);
        var ending = setUps["pubsub-disconnected"];
        Assert.Equal((null, "Disconnect"), (ending.SharedAs, ending.Settings["Relay:SlowConsumer"]));
    }

    [Fact]
    public void Half_of_the_messages_are_judged_and_only_arms_with_others_have_their_connections()
    {
        var level = Scenario.Levels[0];

        Assert.Equal("1000 other connections", level.ToString());
        Assert.Equal([("settling", false), ("message", true)], Scenario.Flows.Select(flow => (flow.Name, flow.Judged)));
        Assert.Equal((20_000L, 10_000L), (Scenario.Attempts(level), Scenario.AttemptsOf(Scenario.Flows[1], level)));
        Assert.Equal(
            (9_000, 10_000, 10_000),
            (Scenario.UsersOf("direct-alone", level), Scenario.UsersOf("direct-stalled", level), Scenario.UsersAt(level)));
    }

    [Fact]
    public void Everything_is_written_again_as_it_was_read()
    {
        var text = JsonSerializer.Serialize<Scenario>(Scenario, Options);

        Assert.Equal(text, JsonSerializer.Serialize<Scenario>(Parse(text), Options));
        Assert.Equal((20, 1), (((StalledReadersScenario)Scenario.ToQuick()).Others[0], Scenario.ToQuick().Blocks));
    }

    [Theory]
    [InlineData("\"others\": [0]", "'others' of scenario 'x' is 0: it must be from 1 to 2000.")]
    [InlineData("\"others\": [2001]", "'others' of scenario 'x' is 2001")]
    [InlineData("\"others\": []", "'others'")]
    [InlineData("\"others\": [10], \"readers\": 0", "'readers' of scenario 'x' is 0: it must be from 1 to 100000.")]
    [InlineData("\"others\": [10], \"rate\": 10001", "'rate' of scenario 'x' is 10001: it must be from 1 to 10000.")]
    [InlineData("\"others\": [10], \"for\": \"50ms\"", "'for' of scenario 'x' is 50ms: it must be from 100ms to 600s.")]
    [InlineData("\"others\": [10], \"payloadBytes\": 62", "'payloadBytes' of scenario 'x' is 62")]
    [InlineData("\"others\": [1], \"rate\": 100", "not one would be sent to 1 other connections")]
    [InlineData("\"others\": [10], \"arms\": [\"direct\"]", "'direct'")]
    [InlineData("\"others\": [10], \"subscribers\": [10]", "'subscribers' is not known")]
    [InlineData("\"others\": [10], \"quick\": { \"others\": [3000] }", "'quick.others' of scenario 'x' is 3000")]
    public void Invalid_values_are_refused_by_name(string keys, string named) => Assert.Contains(
        named, Assert.Throws<ScenarioException>(() => Parse($$"""{ "name": "x", "experiment": "stalled-readers", {{keys}} }""")).Message,
        StringComparison.Ordinal);

    private static StalledReadersScenario Parse(string text) => (StalledReadersScenario)ScenarioJson.Parse(text, "x");
}
