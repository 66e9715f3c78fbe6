using System.Text.Json;
using PubSubOverWs.LoadTest.Experiments.Paper;
using PubSubOverWs.LoadTest.Experiments.Paper.Faults;
using PubSubOverWs.Record.Formats;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Tests.Record;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Paper.Faults;

public sealed class FaultScenarioTests
{
    private static readonly JsonSerializerOptions Options = new() { Converters = { new ScenarioJson() } };

    public static TheoryData<string> Profiles => [.. FaultProfiles.Names];

    private static OneWayScenario Faults
    {
        get
        {
            var file = Path.Combine(AppContext.BaseDirectory, "scenarios", "faults.json");
            return ScenarioJson.Parse(File.ReadAllText(file), file).OneWay();
        }
    }

    [Fact]
    public void The_scenario_faults_attempts_20_messages_of_each_of_1000_pairs()
    {
        Assert.Equal((Workload.Pairs, 20_000L, 2), (Faults.Workload, Faults.Attempts(Some.Level(1000)), Faults.ConnectionsPerUser));
        Assert.Equal(
            (10, 5, TimeSpan.FromSeconds(5), FaultProfiles.None), (Faults.Iterations, Faults.Blocks, Faults.Visibility, Faults.Fault));
    }

    [Theory]
    [MemberData(nameof(Profiles))]
    public void Every_profile_can_be_run_with_the_scenario_faults_and_is_read_back_as_it_was(string profile)
    {
        var fault = FaultProfiles.Find(profile);
        var scenario = (Faults with { Fault = fault, Arrival = Faults.Arrival.AtLeast(fault.LeastSpread) }).Checked();
        Assert.Equal(scenario.Fault,
            JsonSerializer.Deserialize<Scenario>(JsonSerializer.Serialize(scenario, Options), Options)!.OneWay().Fault);
        Assert.Equal(2, scenario.ToQuick().Iterations);
    }

    [Fact]
    public void Every_parameter_of_every_profile_can_be_set()
    {
        foreach (var fault in FaultProfiles.All)
        {
            var text = string.Join(
                ", ",
                fault.Parameters.Select(parameter =>
                    $"\"{parameter.Key}\": {(parameter.IsNumber ? parameter.Text : $"\"{parameter.Text}\"")}")
                        .Prepend($"\"profile\": \"{fault.Profile}\""));
            Assert.Equal(fault, Read($"{{ {text} }}").Fault);
        }
    }

    [Fact]
    public void Omitted_parameters_of_a_profile_get_their_defaults()
    {
        Assert.Equal(new ChurnFault { Away = TimeSpan.FromMilliseconds(100) }, Read("""{ "profile": "churn", "away": "100ms" }""").Fault);
        Assert.Equal(new ChurnFault(), Read("\"churn\"").Fault);
    }

    [Fact]
    public void Scenarios_without_faults_have_none_of_its_keys()
    {
        var text = JsonSerializer.Serialize(Some.Scenario, Options);
        Assert.All(["workload", "messages", "visibility", "fault"],
            key => Assert.DoesNotContain($"\"{key}\"", text, StringComparison.Ordinal));
    }

    [Fact]
    public void Overload_has_a_third_arm_unless_the_scenario_says_which()
    {
        Assert.Equal(
            Relays.Named(Relays.Direct, Relays.Buffered, Relays.PubSub),
            ScenarioJson.Parse("""{ "name": "x", "users": [1], "receipts": true, "fault": "overload" }""", "x").Arms);
        Assert.Equal(
            Relays.Named(Relays.Direct),
            ScenarioJson.Parse("""{ "name": "x", "users": [1], "receipts": true, "fault": "overload", "arms": ["direct"] }""", "x").Arms);
    }

    [Theory]
    [InlineData("\"quake\"", "'quake' is not known: none, churn")]
    [InlineData("3", "'fault' must be the name")]
    [InlineData("""{ "every": "1s" }""", "'fault' must be the name")]
    [InlineData("""{ "profile": "churn", "often": "1s" }""", "'often' is not known in 'fault': churn has every, away")]
    [InlineData("""{ "profile": "none", "every": "1s" }""", "none has no parameters")]
    [InlineData("""{ "profile": "churn", "every": 1 }""", "'every' is 1")]
    [InlineData("""{ "profile": "churn", "every": "2s" }""", "20 times 'every' + 'away', 52s or more")]
    [InlineData("""{ "profile": "restart", "times": 4 }""", "spread over 42s or more")]
    [InlineData("""{ "profile": "restart", "times": 0 }""", "'times' of the fault restart")]
    [InlineData("""{ "profile": "queue-down", "at": "32s" }""", "'at' + 'for' is 37s")]
    [InlineData("""{ "profile": "queue-down", "how": "melt" }""", "one of refuse, stall")]
    [InlineData(
        """{ "profile": "queue-down", "for": "6s" }""", "'deadline' of scenario 'x' is 20s: with the fault queue-down it must be 21s")]
    [InlineData("""{ "profile": "slow-consumer", "share": 2 }""", "from 0 to 1")]
    [InlineData("""{ "profile": "slow-consumer", "share": 0 }""", "'share' must be above 0")]
    [InlineData("""{ "profile": "overload", "buffer": 0 }""", "'buffer' from 1")]
    [InlineData("""{ "profile": "connect-storm", "backlog": 0 }""", "'backlog'")]
    [InlineData("""{ "profile": "small-host", "heapBytes": 1000 }""", "'heapBytes'")]
    [InlineData("""{ "profile": "bad-network", "jitter": "1s" }""", "'jitter' at most the latency")]
    public void An_invalid_fault_is_refused_by_name(string fault, string named) =>
        Assert.Contains(named, Assert.Throws<ScenarioException>(() => Read(fault)).Message, StringComparison.Ordinal);

    [Fact]
    public void A_setting_that_a_fault_requires_is_asked_for_by_name()
    {
        var churn = Faults with { Fault = new ChurnFault(), Arrival = Arrival.Parse("spread:36s") };
        Refused(churn with { Workload = Workload.Loopback }, "'workload'");
        Refused(churn with { Receipts = false }, "'receipts'");
        Refused(Faults with { Fault = new OverloadFault(), Workload = Workload.Loopback, Messages = 1, Receipts = false }, "'receipts'");
        Refused(Faults with { Fault = new SmallHostFault(), Pinning = false }, "'pinning'");
        Refused(Faults with { Fault = new OverloadRestartFault(), Arrival = Arrival.Parse("spread:20s") }, "spread over 21s or more");
        Refused(churn with { Messages = 19 }, "'messages' of scenario 'faults' is 19");
        Refused(churn with { Arrival = Arrival.Burst }, "'arrival'");
        Refused(churn with { Visibility = null }, "40600ms or more");
        Refused(churn with { Arms = Relays.AgainstItself(Relays.Direct) }, "one server against itself");
        Refused(Faults with { Floor = true }, "'floor'");
        Refused(Faults with { Visibility = TimeSpan.FromSeconds(2) }, "'visibility'");
        Refused(Faults with { Visibility = TimeSpan.FromMilliseconds(3_500) }, "whole seconds");
        Refused(Faults with { PayloadBytes = 64, Messages = 10_000 }, "'payloadBytes' of scenario 'faults' is 64");
        Refused(Faults with { PubSubNodes = 2, Fault = new OverloadFault() }, "'pubsubNodes'");
        Refused(Faults with { Messages = 10_001 }, "'messages'");
    }

    private static void Refused(OneWayScenario scenario, string named) =>
        Assert.Contains(named, Assert.Throws<ScenarioException>(scenario.Checked).Message, StringComparison.Ordinal);

    private static OneWayScenario Read(string fault) => ScenarioJson.Parse(
        $$"""
        { "name": "x", "workload": "pairs", "users": [10], "messages": 20, "receipts": true, "arrival": "spread:36s", "deadline": "20s",
          "visibility": "5s", "floor": false, "fault": {{fault}} }
        """,
        "x").OneWay();
}
