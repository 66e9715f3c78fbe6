using System.Text.Json;
using PubSubOverWs.LoadTest.Experiments.Paper;
using PubSubOverWs.LoadTest.Experiments.Paper.Faults;
using PubSubOverWs.LoadTest.Harness.Runs;
using PubSubOverWs.Record.Formats;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Tests.Record;

namespace PubSubOverWs.Tests.LoadTest.Harness.Runs;

public sealed class ScenarioChangesTests
{
    private static readonly JsonSerializerOptions Json = new() { Converters = { new ScenarioJson() } };

    private static readonly OneWayScenario Paper = new()
    {
        Name = "paper",
        Users = [50, 100],
        Gates = ["direct.loss <= 1%"],
        Quick = QuickForm.From(("users", "[50]"), ("iterations", "5"), ("blocks", "1")),
    };

    [Fact]
    public void Nothing_asked_changes_nothing_but_the_quick_form()
    {
        var resolved = new ScenarioChanges().ApplyTo(Paper);

        Assert.Equal((30, 5, 2015L, true), (resolved.Iterations, resolved.Blocks, resolved.Seed, resolved.Pinning));
        Assert.Null(resolved.Quick);
    }

    [Theory]
    [InlineData("deadline=2s", "deadline", "\"2s\"")]
    [InlineData("users=100,50", "users", "[50,100]")]
    [InlineData("users=100", "users", "[100]")]
    [InlineData("users=[7]", "users", "[7]")]
    [InlineData("receipts=true", "receipts", "true")]
    [InlineData("arms=pubsub", "arms", "[\"pubsub\"]")]
    [InlineData("messages=3", "messages", "3")]
    public void Any_key_of_the_scenario_can_be_set(string setting, string key, string value)
    {
        var changed = new ScenarioChanges { Settings = [setting] }.ApplyTo(Paper with { Gates = [] });

        using var written = JsonDocument.Parse(JsonSerializer.Serialize(changed, Json));
        Assert.Equal(value, JsonSerializer.Serialize(written.RootElement.GetProperty(key)));
    }

    [Theory]
    [InlineData("deadline", "--set 'deadline' has no '='")]
    [InlineData("user=5", "The experiment one-way has no key 'user', so 'user=5' cannot be set: did you mean 'users'? Its keys are name, ")]
    [InlineData("deadline=soon", "deadline")]
    [InlineData("users=many", "'users'")]
    public void A_setting_that_cannot_be_is_refused_by_name(string setting, string says) => Assert.Contains(
        says, Assert.Throws<ScenarioException>(() => new ScenarioChanges { Settings = [setting] }.ApplyTo(Paper)).Message,
        StringComparison.Ordinal);

    [Fact]
    public void The_pubsub_arm_is_one_server_unless_more_are_asked_for()
    {
        Assert.Equal(1, new ScenarioChanges().ApplyTo(Paper).OneWay().PubSubNodes);
        Assert.Equal(3, new ScenarioChanges { Settings = ["pubsubNodes=3"] }.ApplyTo(Paper).OneWay().PubSubNodes);
        Assert.Equal(3, new ScenarioChanges().ApplyTo(Paper with { PubSubNodes = 3 }).OneWay().PubSubNodes);
        Assert.False(new ScenarioChanges { Settings = ["pubsubNodes=1"] }.IsEmpty);
    }

    [Fact]
    public void A_fault_brings_its_own_arms_unless_others_are_asked_for()
    {
        var faults = Paper with
        {
            Fault = new ChurnFault(),
            Workload = Workload.Pairs,
            Messages = 20,
            Receipts = true,
            Floor = false,
            Arrival = Arrival.Parse("spread:36s"),
            Deadline = TimeSpan.FromSeconds(45)
        };

        Assert.Equal(new OverloadFault(), new ScenarioChanges { Settings = ["fault=overload"] }.ApplyTo(faults).OneWay().Fault);
        Assert.Equal(
            Relays.Named(Relays.Direct, Relays.Buffered, Relays.PubSub),
                new ScenarioChanges { Settings = ["fault=overload"] }.ApplyTo(faults).Arms);
        Assert.Equal(
            Relays.Named(Relays.PubSub), new ScenarioChanges { Settings = ["arms=pubsub", "fault=overload"] }.ApplyTo(faults).Arms);
        Assert.Equal(new ChurnFault(), new ScenarioChanges().ApplyTo(faults).OneWay().Fault);
        Assert.False(new ScenarioChanges { Settings = ["fault=none"] }.IsEmpty);
    }

    [Fact]
    public void A_fault_brings_the_time_that_it_needs_unless_another_is_asked_for()
    {
        var faults = Paper with
        {
            Workload = Workload.Pairs,
            Messages = 20,
            Receipts = true,
            Floor = false,
            Arrival = Arrival.Parse("spread:24s"),
            Deadline = TimeSpan.FromSeconds(45)
        };

        Assert.Equal(
            ("spread:36s", 1),
            (new ScenarioChanges { Settings = ["fault=churn"] }.ApplyTo(faults).OneWay().Arrival.ToString(),
                new ScenarioChanges { Settings = ["fault=churn"] }.ApplyTo(faults with { WarmUps = 0 }).WarmUps));
        Assert.Equal("spread:40s",
            new ScenarioChanges { Settings = ["arrival=spread:40s", "fault=churn"] }.ApplyTo(faults).OneWay().Arrival.ToString());
        Assert.Equal("spread:24s", new ScenarioChanges { Settings = ["fault=queue-down"] }.ApplyTo(faults).OneWay().Arrival.ToString());
    }

    [Fact]
    public void An_AA_run_has_two_instances_of_one_server_and_none_of_the_gates_that_name_others()
    {
        var resolved = new ScenarioChanges { AgainstItself = Relays.PubSub }.ApplyTo(Paper);

        Assert.Equal(["pubsub-a", "pubsub-b"], resolved.Arms.Select(arm => arm.Name));
        Assert.Empty(resolved.Gates);
        Assert.True(resolved is { IsAgainstItself: true, Compared: { First: "pubsub-a", Second: "pubsub-b" } });
        Assert.All(resolved.Arms, arm => Assert.Equal(Relays.PubSub, arm.Target));
    }

    [Fact]
    public void Levels_run_from_low_to_high() =>
        Assert.Equal([5, 20, 1000], new ScenarioChanges { Settings = ["users=1000,5,20"] }.ApplyTo(Paper).OneWay().Users);

    [Fact]
    public void Quick_is_put_in_before_the_other_changes()
    {
        var resolved = new ScenarioChanges { Quick = true, Iterations = 3 }.ApplyTo(Paper);

        Assert.Equal([50], resolved.OneWay().Users);
        Assert.Equal((3, 1), (resolved.Iterations, resolved.Blocks));
    }

    [Fact]
    public void Fewer_iterations_than_blocks_make_fewer_blocks() =>
        Assert.Equal(2, new ScenarioChanges { Iterations = 2 }.ApplyTo(Paper).Blocks);

    [Fact]
    public void More_blocks_than_iterations_asked_for_are_refused() =>
        Assert.Contains(
            "blocks", Assert.Throws<ScenarioException>(() => new ScenarioChanges { Iterations = 2, Blocks = 3 }.ApplyTo(Paper)).Message);

    [Fact]
    public void Gates_are_added_to_those_of_the_scenario() =>
        Assert.Equal(["direct.loss <= 1%", "pubsub.loss == 0"], new ScenarioChanges { Gates = ["pubsub.loss == 0"] }.ApplyTo(Paper).Gates);

    [Fact]
    public void Switches_turn_on_and_never_off()
    {
        var resolved = new ScenarioChanges { Receipts = true, NoPin = true, Settings = ["arrival=spread:2s", "arms=direct"] }
            .ApplyTo(Paper);

        Assert.True(resolved.Receipts);
        Assert.False(resolved.Pinning);
        Assert.Equal(TimeSpan.FromSeconds(2), resolved.OneWay().Arrival.Spread);
        Assert.Equal(Relays.Named(Relays.Direct), resolved.Arms);
    }

    [Fact]
    public void Gates_alone_change_no_measurement()
    {
        Assert.True(new ScenarioChanges { Gates = ["pubsub.loss == 0"] }.IsEmpty);
        Assert.False(new ScenarioChanges { Seed = 1 }.IsEmpty);
    }

    [Fact]
    public void A_gate_of_a_scenario_file_that_cannot_be_read_is_refused_with_the_name_of_the_file()
    {
        var file = Path.Combine(Directory.CreateTempSubdirectory().FullName, "mine.json");
        File.WriteAllText(file, """{ "name": "x", "users": [1], "gates": ["direct.speed == 0"] }""");

        var refused = Assert.Throws<ScenarioException>(() => ScenarioFiles.Load(file)).Message;

        Assert.StartsWith($"{file}: The gate 'direct.speed == 0' asks for 'speed', which is not measured", refused,
            StringComparison.Ordinal);
        Directory.Delete(Path.GetDirectoryName(file)!, recursive: true);
    }
}
