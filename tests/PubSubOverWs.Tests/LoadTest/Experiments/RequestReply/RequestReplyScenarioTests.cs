using System.Text.Json;
using PubSubOverWs.LoadTest.Experiments.RequestReply;
using PubSubOverWs.Record.Formats;
using PubSubOverWs.Record.Scenarios;

namespace PubSubOverWs.Tests.LoadTest.Experiments.RequestReply;

public sealed class RequestReplyScenarioTests
{
    private const string Least = """{ "name": "x", "experiment": "request-reply", "rates": [100, 2000] }""";

    private static readonly JsonSerializerOptions Options = new() { Converters = { new ScenarioJson() } };

    [Fact]
    public void A_level_is_a_rate_and_each_of_its_counted_requests_is_an_attempt_of_every_flow()
    {
        var scenario = Parse(Least);

        Assert.Equal([100, 2000], scenario.Levels.Select(level => level.Rate));
        Assert.True(scenario.OffersRates);
        var high = scenario.Levels[1];
        Assert.Equal((75_000, 15_000, 60_000), (scenario.Sends(high), scenario.Settling(high), scenario.Attempts(high)));
        Assert.All(scenario.Flows, flow => Assert.Equal(60_000, scenario.AttemptsOf(flow, high)));
        Assert.Equal("round-trip", Assert.Single(scenario.Flows, flow => flow.Judged).Name);
        Assert.Equal(10_016, scenario.UsersAt(high));
    }

    [Fact]
    public void Rates_go_up_in_odd_blocks_and_down_in_even_ones()
    {
        var plan = RunPlan.For(Parse(Least) with { Iterations = 4, Blocks = 4 });

        Assert.Equal([100, 2000, 2000, 100, 100, 2000, 2000, 100], plan.Select(step => step.Level.Number));
        Assert.DoesNotContain(plan, step => step.WarmUp);
    }

    [Fact]
    public void Both_workloads_can_be_run_and_have_a_quick_form_of_one_block()
    {
        var grid = Load("request-reply");
        Assert.Equal((10_000, 6, 6), (grid.Users, grid.Iterations, grid.Blocks));
        Assert.Contains(25_000, grid.Rates);
        Assert.Equal((3, 1, TimeSpan.FromSeconds(5)), (Quick(grid).Rates.Count, Quick(grid).Blocks, Quick(grid).For));

        var published = Load("request-reply-published");
        Assert.Equal([0.24, 0.24], new[] { published, Quick(published) }.Select(one => (double)Assert.Single(one.Rates) / one.Users));
    }

    [Fact]
    public void A_key_that_is_left_out_has_its_default_and_all_keys_are_written_again()
    {
        var scenario = Parse(Least);

        Assert.Equal(["direct", "pubsub"], scenario.Arms.Select(arm => arm.Name));
        Assert.Equal((32, 256, 16, 0, false),
            (scenario.RequestBytes, scenario.ReplyBytes, scenario.Providers, scenario.WarmUps, scenario.Floor));
        var text = JsonSerializer.Serialize<Scenario>(scenario, Options);
        Assert.Equal(text, JsonSerializer.Serialize<Scenario>(Parse(text), Options));
    }

    [Fact]
    public void Load_processes_are_written_and_shown_only_where_there_are_several()
    {
        var (one, three) = (Parse(Least), Parse(Least.Replace("100, 2000]", "100, 2000], \"workers\": 3", StringComparison.Ordinal)));

        Assert.Equal((1, 3), (one.Workers, three.Workers));
        Assert.DoesNotContain("workers", JsonSerializer.Serialize<Scenario>(one, Options), StringComparison.Ordinal);
        Assert.Contains("\"workers\":3", JsonSerializer.Serialize<Scenario>(three, Options), StringComparison.Ordinal);
        Assert.DoesNotContain(one.Describe(isPinned: false).Settings, row => row.Name == "load processes");
        Assert.Contains(("load processes", "3, which share users and providers evenly"), three.Describe(isPinned: false).Settings);
    }

    [Theory]
    [InlineData("""{ "name": "x", "experiment": "request-reply", "rates": [0] }""", "'rates'")]
    [InlineData("""{ "name": "x", "experiment": "request-reply", "rates": [5], "users": 0 }""", "'users'")]
    [InlineData("""{ "name": "x", "experiment": "request-reply", "rates": [5], "users": [5] }""", "'users'")]
    [InlineData("""{ "name": "x", "experiment": "request-reply", "rates": [5], "providers": 0 }""", "'providers'")]
    [InlineData("""{ "name": "x", "experiment": "request-reply", "rates": [5], "requestBytes": 25 }""", "'requestBytes'")]
    [InlineData("""{ "name": "x", "experiment": "request-reply", "rates": [5], "replyBytes": 70000 }""", "'replyBytes'")]
    [InlineData("""{ "name": "x", "experiment": "request-reply", "rates": [5], "workers": 65 }""", "'workers'")]
    [InlineData("""{ "name": "x", "experiment": "request-reply", "rates": [5], "users": 2, "workers": 3 }""", "'workers'")]
    [InlineData("""{ "name": "x", "experiment": "request-reply", "rates": [100000] }""", "at 100000 requests/s")]
    [InlineData("""{ "name": "x", "experiment": "request-reply", "rates": [5], "warmUps": 1 }""", "'warmUps'")]
    public void A_value_that_cannot_be_is_refused_by_the_name_of_its_key(string text, string named) =>
        Assert.Contains(named, Assert.Throws<ScenarioException>(() => ScenarioJson.Parse(text, "x.json")).Message,
            StringComparison.Ordinal);

    private static RequestReplyScenario Quick(RequestReplyScenario scenario) => (RequestReplyScenario)scenario.ToQuick();

    private static RequestReplyScenario Load(string name)
    {
        var file = Path.Combine(AppContext.BaseDirectory, "scenarios", $"{name}.json");
        return Parse(File.ReadAllText(file));
    }

    private static RequestReplyScenario Parse(string text) => (RequestReplyScenario)ScenarioJson.Parse(text, "x.json");
}
