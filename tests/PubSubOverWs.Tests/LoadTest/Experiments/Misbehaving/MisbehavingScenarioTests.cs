using PubSubOverWs.LoadTest.Experiments.Misbehaving;
using PubSubOverWs.Record.Formats;
using PubSubOverWs.Record.Scenarios;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Misbehaving;

public sealed class MisbehavingScenarioTests
{
    [Fact]
    public void One_message_in_ten_goes_to_a_topic_and_is_counted_for_each_of_its_subscribers()
    {
        var scenario = Parse(""" "for": "6s" """);

        var load = scenario.LoadAt(scenario.Levels[0]);

        // Of each measurement 2,700 messages to one consumer and 300 to a topic's twenty subscribers.
        Assert.Equal([8_700, 8_700, 17_400], load.AttemptsByFlow!);
        Assert.Equal((34_800, 12_000, 200), (load.Attempts, load.Sends, load.Users));
    }

    [Fact]
    public void The_others_begin_between_both_measurements()
    {
        var scenario = Parse(""" "for": "6s", "settle": "20s" """);

        Assert.Equal(TimeSpan.FromSeconds(13), scenario.BegunAt);
        Assert.Equal(TimeSpan.FromSeconds(6), scenario.DueAt(3_000));
        Assert.Equal(TimeSpan.FromSeconds(32), scenario.DueAt(6_000));
        Assert.Equal([2, 0, 2, 1], Enumerable.Range(0, 4).Select(leg => scenario.FlowOf(leg * scenario.MessagesOfLeg)));
    }

    [Fact]
    public void Servers_have_bounds_on_memory_that_these_clients_reach()
    {
        var scenario = Parse(""" "arms": ["direct+lean", "pubsub"] """);

        var (direct, pubsub) = (scenario.SetUp(scenario.Arms[0]).Settings, scenario.SetUp(scenario.Arms[1]).Settings);

        Assert.Equal(("Lean", "320"), (direct["Relay:FrontEnd"], direct["Relay:MaxConnections"]));
        Assert.Equal((false, true), (direct.ContainsKey("Queue:MaxInFlightBytes"), pubsub.ContainsKey("Queue:MaxInFlightBytes")));
    }

    [Theory]
    [InlineData(""" "ways": ["shout"] """, "The way to misbehave 'shout' is not known")]
    [InlineData(""" "ways": [] """, "must name at least one way to misbehave")]
    [InlineData(""" "wellBehaved": 9 """, "'wellBehaved'")]
    [InlineData(""" "settle": "1s" """, "'settle'")]
    public void Invalid_values_are_refused_by_name(string keys, string sentence) => Assert.Contains(
        sentence, Assert.Throws<ScenarioException>(() => Parse(keys)).Message, StringComparison.Ordinal);

    private static MisbehavingScenario Parse(string keys)
    {
        var ways = keys.Contains("ways", StringComparison.Ordinal) ? "" : """ "ways": ["all"], """;
        return (MisbehavingScenario)ScenarioJson.Parse(
            $$"""{ "name": "x", "experiment": "misbehaving", {{ways}} {{keys}} }""", "x.json");
    }
}
