using PubSubOverWs.LoadTest.Experiments.Peers;
using PubSubOverWs.Record.Formats;
using PubSubOverWs.Record.Scenarios;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Peers;

public sealed class PeersScenarioTests
{
    [Fact]
    public void A_level_is_a_row_with_its_clients()
    {
        var scenario = Parse(""" "rows": ["queue"], "arms": ["localsqs", "localsqs+sdk"] """);
        var others = Parse(""" "rows": ["fan-out", "idle-cpu", "cpu"], "arms": ["direct", "nats"] """).Ordered();

        Assert.Equal(8, scenario.UsersAt(scenario.Levels[0]));
        Assert.Equal(["idle-cpu", "cpu", "fan-out"], others.Levels.Select(level => level.Key));
        Assert.Equal([9_900, 100, 1_001], others.Levels.Select(others.UsersAt));
    }

    [Fact]
    public void An_arm_of_another_build_is_set_up_as_the_one_of_this_build()
    {
        var scenario = Parse(""" "rows": ["cpu"], "base": "old", "arms": ["direct+lean", "direct+lean+base"] """);

        var (current, other) = (scenario.SetUp(scenario.Arms[0]), scenario.SetUp(scenario.Arms[1]));

        Assert.Equal((null, "old"), (current.Programs, other.Programs));
        Assert.Equal("Lean", current.Settings["Relay:FrontEnd"]);
        Assert.Equal(current.Settings, other.Settings);
        Assert.Equal([new Contrast("direct+lean+base", "direct+lean")], scenario.Contrasts);
    }

    [Theory]
    [InlineData(""" "rows": ["speed"] """, "The row 'speed' is not known")]
    [InlineData(""" "rows": ["fan-out"], "arms": ["direct", "echo"] """, "The arm echo of scenario 'x' has no row fan-out")]
    [InlineData(""" "rows": ["cpu"], "arms": ["direct", "nchan"] """, "The arm nchan of scenario 'x' has no row cpu")]
    [InlineData(""" "rows": ["cpu"], "arms": ["localsqs"] """, "The arm localsqs of scenario 'x' has no row cpu")]
    [InlineData(""" "rows": ["start"], "blocks": 2 """, "'iterations' must be as many as 'blocks'")]
    [InlineData(""" "rows": ["start", "idle-memory"] """, "choose one of them")]
    [InlineData(""" "rows": ["cpu"], "arms": ["direct+base"] """, "name the folder of that with 'base'")]
    [InlineData(""" "rows": ["queue"], "arms": ["other-queue"] """, "give its address with 'otherQueue'")]
    [InlineData(""" "rows": ["queue"], "arms": ["other-queue"], "otherQueue": "http://192.0.2.1" """, "on this machine")]
    [InlineData(""" "rows": ["cpu"], "depth": 1000 """, "more than 65536 bytes under way")]
    [InlineData(""" "rows": ["cpu"], "arms": ["mosquitto"], "secure": true """, "omit other rows and arms")]
    [InlineData(""" "rows": ["queue"], "arms": ["localsqs"], "queueMessages": 15 """, "a multiple of ten")]
    public void What_cannot_be_measured_is_refused(string keys, string sentence) => Assert.Contains(
        sentence, Assert.Throws<ScenarioException>(() => Parse(keys)).Message, StringComparison.Ordinal);

    private static PeersScenario Parse(string keys) =>
        (PeersScenario)ScenarioJson.Parse($$"""{ "name": "x", "experiment": "peers", {{keys}} }""", "x.json");
}
