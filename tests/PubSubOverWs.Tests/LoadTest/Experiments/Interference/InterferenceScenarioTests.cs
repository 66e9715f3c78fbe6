using System.Text.Json;
using PubSubOverWs.LoadTest.Experiments.Interference;
using PubSubOverWs.Record.Formats;
using PubSubOverWs.Record.Scenarios;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Interference;

public sealed class InterferenceScenarioTests
{
    private static readonly JsonSerializerOptions Options = new() { Converters = { new ScenarioJson() } };

    private static InterferenceScenario Scenario =>
        Parse(File.ReadAllText(Path.Combine(AppContext.BaseDirectory, "scenarios", "stream-interference.json")));

    [Fact]
    public void The_six_published_cells_are_levels_with_as_many_requests_and_runs()
    {
        var published = PublishedInterference.Load().Cells;

        Assert.Equal(6, published.Count);
        Assert.Equal(published.Count, Scenario.Levels.Count(level => PublishedInterference.Load().Find(level) is not null));
        Assert.Equal((1_000, 5), (Scenario.Requests, Scenario.Iterations));
    }

    [Fact]
    public void A_level_is_a_stream_with_a_period_of_requests()
    {
        var level = Scenario.Levels.Single(level => level.Key == "10240-500-10");

        Assert.Equal("10240 B dummies, 500 us apart, 10 ms between requests", level.ToString());
        Assert.Equal((new DummyMessages(10_240, 500), 10), (InterferenceScenario.StreamOf(level), InterferenceScenario.EveryMsOf(level)));
        Assert.Equal(TimeSpan.FromSeconds(10), Scenario.ArrivalsAt(level).Spread);
        Assert.Equal(TimeSpan.FromMilliseconds(30), Scenario.ArrivalsAt(level).DueAt(3, Scenario.Sends(level)));
    }

    [Fact]
    public void Arms_of_the_server_share_it_and_two_have_a_second_websocket()
    {
        var level = Scenario.Levels[0];

        Assert.Equal(["one-socket", "two-sockets", "chunked", "http2"], Scenario.Arms.Select(arm => arm.Name));
        Assert.All(Scenario.Arms, arm => Assert.Equal("stream-server", Scenario.SetUp(arm).SharedAs));
        Assert.Equal([1, 2, 1, 2], Scenario.Arms.Select(arm => Scenario.UsersOf(arm.Name, level)));
        Assert.Equal(2, Scenario.UsersAt(level));
    }

    [Fact]
    public void The_reference_is_compared_where_it_is_named()
    {
        var scenario = Parse("""
            { "name": "x", "experiment": "stream-interference", "arms": ["reference", "one-socket"], "streams": ["idle"],
              "requestEveryMs": [1] }
            """);

        Assert.Equal(["one-socket against reference"], scenario.Contrasts.Select(contrast => contrast.ToString()));
    }

    [Theory]
    [InlineData(79.9, true)]
    [InlineData(80.0, false)]
    [InlineData(null, false)]
    public void A_stream_that_misses_its_rate_by_more_than_a_fifth_saturates_the_socket(double? share, bool isSaturated) => Assert.Equal(
        isSaturated ? "a saturated socket" : null,
        Scenario.LimitReached(new Dictionary<string, double?> { [InterferenceScenario.Share.Name] = share }));

    [Fact]
    public void A_client_with_a_link_of_its_own_comes_through_a_proxy_of_that_bandwidth()
    {
        var trial = new Trial(Scenario.Arms[0], Scenario.Levels[0], Block: 1, Iteration: 1, Order: 1, WarmUp: false);
        Assert.Null(Scenario.Plan(trial));
        Assert.Equal(0, Scenario.SetUp(trial.Arm).ProxiedConnections);

        var linked = Scenario with { LinkBytesPerSecond = 12_500_000 };

        Assert.Equal(12_500_000, linked.Plan(trial)!.Network.BytesPerSecond);
        Assert.Equal(1, linked.SetUp(trial.Arm).ProxiedConnections);
    }

    [Fact]
    public void Everything_is_written_again_as_it_was_read()
    {
        var text = JsonSerializer.Serialize<Scenario>(Scenario, Options);

        Assert.Equal(text, JsonSerializer.Serialize<Scenario>(Parse(text), Options));
        Assert.Equal([1], ((InterferenceScenario)Scenario.ToQuick()).RequestEveryMs);
    }

    [Theory]
    [InlineData("\"streams\": [], \"requestEveryMs\": [1]", "'streams'")]
    [InlineData("\"streams\": [\"idle\", \"idle\"], \"requestEveryMs\": [1]", "'streams'")]
    [InlineData("\"streams\": [\"idle\"], \"requestEveryMs\": []", "'requestEveryMs'")]
    [InlineData("\"streams\": [\"idle\"], \"requestEveryMs\": [1001]", "'requestEveryMs' of scenario 'x' is 1001")]
    [InlineData("\"streams\": [\"idle\"], \"requestEveryMs\": [1], \"requests\": 0", "'requests' of scenario 'x' is 0")]
    [InlineData("\"streams\": [\"idle\"], \"requestEveryMs\": [1], \"chunkBytes\": 1023", "'chunkBytes' of scenario 'x' is 1023")]
    [InlineData("\"streams\": [\"idle\"], \"requestEveryMs\": [1], \"linkBytesPerSecond\": -1", "'linkBytesPerSecond'")]
    [InlineData("\"streams\": [\"fast\"], \"requestEveryMs\": [1]", "'fast'")]
    public void A_value_that_cannot_be_is_refused_by_the_name_of_its_key(string keys, string named) => Assert.Contains(
        named,
        Assert.Throws<ScenarioException>(() => Parse($$"""{ "name": "x", "experiment": "stream-interference", {{keys}} }""")).Message,
        StringComparison.Ordinal);

    private static InterferenceScenario Parse(string text) => (InterferenceScenario)ScenarioJson.Parse(text, "x.json");
}
