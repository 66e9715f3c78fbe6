using System.Text.Json;
using PubSubOverWs.LoadTest.Experiments.Transports;
using PubSubOverWs.Record.Formats;
using PubSubOverWs.Record.Scenarios;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Transports;

public sealed class TransportScenarioTests
{
    private static readonly JsonSerializerOptions Options = new() { Converters = { new ScenarioJson() } };

    [Fact]
    public void Without_any_key_it_is_the_published_experiment_with_server_sent_events_beside_it()
    {
        var scenario = (TransportsScenario)Parse("""{ "name": "x", "experiment": "transports" }""");

        Assert.Equal(["websocket", "long-polling", "polling", "sse"], scenario.Arms.Select(arm => arm.Name));
        Assert.Equal(12, scenario.Levels.Count);
        Assert.Equal(("edmonton-1", "Nagaoka 3"), (scenario.Levels[0].Key, scenario.Levels[^1].ToString()));
        Assert.Equal(
            [8, 1200], scenario.Flows.Select(flow => scenario.AttemptsOf(flow, scenario.Levels[0])));
        Assert.Equal((1208, TimeSpan.FromSeconds(302)), (scenario.Attempts(scenario.Levels[0]), scenario.Arrivals.Spread));
        Assert.Equal((48, 48), (scenario.TrialsAtOnce, scenario.MaxUsers));
        Assert.Equal(22, scenario.PayloadBytes);
    }

    [Fact]
    public void Each_test_has_a_network_that_delivers_what_was_published_of_WebSocket()
    {
        var scenario = (TransportsScenario)Parse(
            """{ "name": "x", "experiment": "transports", "tests": ["Nagaoka 1", "Lund 3"] }""");

        var plan = scenario.Plan(new Trial(scenario.Arms[0], scenario.Levels[0], 1, 1, 1, false))!;

        Assert.Equal(["Nagaoka 1", "Lund 3"], scenario.Levels.Select(level => level.ToString()));
        Assert.InRange(scenario.NetworkAt(scenario.Levels[0]).Latency!.Value.TotalMilliseconds, 138, 147);
        Assert.Equal(75.1, scenario.NetworkAt(scenario.Levels[1]).Latency!.Value.TotalMilliseconds, 3);
        Assert.Equal(0.42, scenario.NetworkAt(scenario.Levels[1]).LatencyDeviation.TotalMilliseconds, 3);
        Assert.True(plan.Lasts > scenario.Arrivals.Spread);
        Assert.Equal(["Lund 3", "Nagaoka 1"], ((TransportsScenario)scenario.Ordered()).Tests);
    }

    [Fact]
    public void Stalls_of_the_uplink_are_said_to_be_post_hoc()
    {
        var scenario = (TransportsScenario)Parse(
            """{ "name": "x", "experiment": "transports", "uplinkStallEvery": "20s", "uplinkStallFor": "2s" }""");

        Assert.StartsWith(
            "Post hoc: the way to the server stalls for 2s every 20s.", scenario.Describe(isPinned: true).Cautions.Single(),
            StringComparison.Ordinal);
        Assert.Equal(
            (TimeSpan.FromSeconds(20), TimeSpan.FromSeconds(2), true),
            (scenario.NetworkAt(scenario.Levels[0]).StallEvery, scenario.NetworkAt(scenario.Levels[0]).StallFor,
                scenario.NetworkAt(scenario.Levels[0]).StallsUplinkOnly));
        Assert.Empty(new TransportsScenario { Name = "x" }.Describe(isPinned: true).Cautions);
    }

    [Fact]
    public void The_sweep_has_a_client_for_each_phase()
    {
        var scenario = (TransportSweepScenario)Parse(
            """{ "name": "x", "experiment": "transports-sweep", "delays": [1, 400], "arms": ["websocket", "polling"] }""");

        Assert.Equal(
            (20, 2 * 2 * 20, 20 * 1208),
            (scenario.UsersAt(scenario.Levels[0]), scenario.MaxUsers, scenario.Attempts(scenario.Levels[0])));
        Assert.Equal([1, 400], scenario.Levels.Select(level => scenario.NetworkAt(level).Latency!.Value.TotalMilliseconds));
        Assert.Equal("400 ms each way", scenario.Levels[1].ToString());
    }

    [Fact]
    public void Cuts_are_tried_at_each_loss_with_clients_that_resume_and_with_plain_ones()
    {
        var scenario = (TransportCutsScenario)Parse("""{ "name": "x", "experiment": "transports-cuts", "losses": [5, 0], "phases": 3 }""");

        Assert.Equal(["5-plain", "5-resuming", "0-plain", "0-resuming"], scenario.Levels.Select(level => level.Key));
        Assert.Equal((6 * 4, 6 * 4 * 3), (scenario.TrialsAtOnce, scenario.MaxUsers));
        Assert.Equal(
            [AfterCut.ComeBack, AfterCut.Resume], scenario.Levels.Take(2).Select(scenario.AfterCutAt));
        NetworkConditions[] networks = [.. scenario.Levels.Select(scenario.NetworkAt)];
        Assert.Equal(
            new NetworkConditions
            {
                Latency = TimeSpan.FromMilliseconds(40),
                LostShare = 0.05,
                ResentAfter = TimeSpan.FromMilliseconds(200),
                ResetAfter = TimeSpan.FromSeconds(2),
                ResetJitter = TimeSpan.FromSeconds(1),
            },
            networks[1]);
        Assert.Equal([0.05, 0.05, 0, 0], networks.Select(network => network.LostShare));
        Assert.Equal([0, 5], ((TransportCutsScenario)scenario.Ordered()).Losses);
        Assert.Equal(AfterCut.End, new TransportsScenario { Name = "x" }.AfterCutAt(scenario.Levels[0]));
    }

    [Theory]
    [InlineData("""{ "name": "x", "experiment": "transports-cuts", "losses": [1], "delay": "5ms", "cutAfter": "1.5s" }""")]
    [InlineData("""{ "name": "x", "experiment": "transports", "tests": ["Lund 2"], "period": "1s", "pollingPause": "0s" }""")]
    [InlineData("""{ "name": "x", "experiment": "transports-sweep", "delays": [5], "phases": 3, "longPollingWait": "1s" }""")]
    public void A_key_that_is_left_out_has_its_default_and_all_keys_are_written_again(string text)
    {
        var written = JsonSerializer.Serialize(Parse(text), Options);

        Assert.Equal(written, JsonSerializer.Serialize(Parse(written), Options));
    }

    [Theory]
    [InlineData("\"tests\": [\"Lund 4\"]", "'Lund 4', which is no published test: Edmonton 1, ")]
    [InlineData("\"tests\": []", "must name at least one test")]
    [InlineData("\"tests\": [\"Lund 1\", \"Lund 1\"]", "each once")]
    [InlineData("\"measurements\": 0", "'measurements'")]
    [InlineData("\"period\": \"5ms\"", "'period'")]
    [InlineData("\"pollingPause\": \"2m\"", "'pollingPause' of scenario 'x' is 120s: it must be from 0s to 60s.")]
    [InlineData("\"delays\": [5]", "'delays' is not known")]
    [InlineData("\"uplinkStallEvery\": \"20s\"", "'uplinkStallEvery' and 'uplinkStallFor'")]
    [InlineData("\"uplinkStallEvery\": \"20s\", \"uplinkStallFor\": \"20s\"", "'uplinkStallFor'")]
    public void A_value_that_cannot_be_is_refused_by_the_name_of_its_key(string key, string named) => Assert.Contains(
        named,
        Assert.Throws<ScenarioException>(() => Parse($$"""{ "name": "x", "experiment": "transports", {{key}} }""")).Message,
        StringComparison.Ordinal);

    [Theory]
    [InlineData("\"losses\": [51]", "'losses'")]
    [InlineData("\"losses\": []", "'losses'")]
    [InlineData("\"losses\": [1], \"delay\": \"2s\"", "'delay'")]
    [InlineData("\"losses\": [1], \"cutAfter\": \"100ms\"", "'cutAfter'")]
    [InlineData("\"losses\": [1], \"phases\": 0", "'phases'")]
    public void Cuts_that_cannot_be_are_refused_by_name(string key, string named) => Assert.Contains(
        named,
        Assert.Throws<ScenarioException>(() => Parse($$"""{ "name": "x", "experiment": "transports-cuts", {{key}} }""")).Message,
        StringComparison.Ordinal);

    [Fact]
    public void More_clients_than_one_process_can_have_are_refused() => Assert.Contains(
        "has 4000 clients at once, and at most 3000 are allowed",
        Assert.Throws<ScenarioException>(() => Parse(
            """{ "name": "x", "experiment": "transports-sweep", "delays": [1,2,3,4,5,6,7,8,9,10], "phases": 100 }""")).Message,
        StringComparison.Ordinal);

    private static Scenario Parse(string text) => ScenarioJson.Parse(text, "x.json");
}
