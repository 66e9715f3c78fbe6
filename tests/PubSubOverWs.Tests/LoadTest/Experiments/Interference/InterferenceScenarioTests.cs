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

public sealed class DummyMessagesTests
{
    [Theory]
    [InlineData("idle", 0, 0, 0)]
    [InlineData("10240/500us", 10_240, 500, 20_480_000)]
    [InlineData("1048576/20ms", 1_048_576, 20_000, 52_428_800)]
    [InlineData("1/2000s", 1, 2_000_000_000, 0.0005)]
    public void A_stream_is_read_with_its_rate_and_written_as_it_was(string text, int bytes, int periodUs, double bytesPerSecond)
    {
        var stream = DummyMessages.Parse(text);

        Assert.Equal(new DummyMessages(bytes, periodUs), stream);
        Assert.Equal(bytesPerSecond, stream.BytesPerSecond, 1e-9);
        Assert.Equal(text, stream.ToString());
        Assert.Equal(bytes == 0, stream.IsIdle);
    }

    [Theory]
    [InlineData("")]
    [InlineData("10240")]
    [InlineData("10240/")]
    [InlineData("0/500us")]
    [InlineData("67108865/500us")]
    [InlineData("10240/0us")]
    [InlineData("10240/2001s")]
    [InlineData("10240/1h")]
    [InlineData("10 KB/500us")]
    [InlineData("-1/500us")]
    public void A_text_that_is_no_stream_is_refused_with_the_form_of_one(string text) => Assert.Contains(
        $"The stream '{text}' is not known: write idle, or the bytes of a message",
        Assert.Throws<ScenarioException>(() => DummyMessages.Parse(text)).Message, StringComparison.Ordinal);
}

public sealed class PublishedInterferenceTests
{
    private readonly PublishedInterference _published = PublishedInterference.Load();

    [Fact]
    public void Three_of_the_six_cells_missed_the_rate_of_their_stream_by_more_than_a_fifth() => Assert.Equal(
        [(1, "1 MB every 500 us"), (10, "10 KB every 500 us"), (10, "1 MB every 500 us")],
        _published.Cells.Where(cell => cell.Share < 0.8).Select(cell => (cell.RequestEveryMs, cell.Published)));

    // 19710 KB, 154350 KB, 787 MB and 7520 MB are printed.
    [Fact]
    public void Messages_that_arrived_are_the_printed_sizes() => Assert.Equal(
        [0, 19_710, 787, 0, 154_350, 7_520],
        _published.Cells.Select(cell => cell.Published.StartsWith("10 KB", StringComparison.Ordinal)
            ? cell.ArrivedMessages * 10
            : cell.ArrivedMessages));

    [Fact]
    public void Messages_that_were_asked_for_are_the_time_of_the_requests_by_the_period() => Assert.All(
        _published.Cells.Where(cell => cell.AskedMessages > 0),
        cell => Assert.Equal(1_000 * cell.RequestEveryMs * 1_000 / 500, cell.AskedMessages));
}
