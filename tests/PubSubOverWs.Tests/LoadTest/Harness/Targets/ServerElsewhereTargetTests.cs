using PubSubOverWs.LoadTest.Experiments.RequestReply;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Runs;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Tests.LoadTest.Commands;
using PubSubOverWs.Tests.PubSubServer;

namespace PubSubOverWs.Tests.LoadTest.Harness.Targets;

public sealed class ServerElsewhereTargetTests
{
    private readonly TestTerminal _terminal = new();

    [Fact]
    public async Task A_dry_run_shows_the_server_as_an_arm_beside_the_others()
    {
        Assert.Equal(0, await _terminal.RunAsync(
            "run", "request-reply", "--quick", "--target", "rabbitmq=stomp+ws://127.0.0.1:15674/ws#/", "--dry-run"));

        Assert.Contains("request-reply: direct, pubsub, rabbitmq;", _terminal.Output, StringComparison.Ordinal);
        Assert.Contains("rabbitmq at stomp+ws://127.0.0.1:15674/ws#/ (not started by the run)", _terminal.Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(
        "run request-reply --arms direct,rabbit",
        "The experiment request-reply has no arm rabbit of its own, and --target gives no address of one: its arms are direct, "
            + "direct+lean, pubsub, pubsub+single; add --target rabbit=stomp+ws://HOST:PORT/PATH to measure another server.")]
    [InlineData(
        "run fan-out --target rabbit=stomp+ws://127.0.0.1:1/ws",
        "The experiment fan-out cannot have another server as its arm 'rabbit': its workload is for the servers of this program.")]
    [InlineData(
        "run request-reply --target pubsub=stomp+ws://127.0.0.1:1/ws",
        "The experiment request-reply cannot have another server as its arm 'pubsub': choose a name of small letters, digits and hyphens "
            + "that none of its own arms has.")]
    [InlineData(
        "run request-reply --target a=http://127.0.0.1:1/ws",
        "The address of --target a is not usable: write it as stomp+ws://host:port/path, without user, password and query.")]
    [InlineData(
        "run request-reply --target rabbit",
        "--target 'rabbit' has no '=': write the name of the arm first, such as --target other=...")]
    [InlineData(
        "run request-reply --target a=stomp+ws://h:1/ --target a=stomp+ws://h:2/", "--target names a twice: give each arm one.")]
    [InlineData(
        "run request-reply --target-process a=1",
        "--target-process names a, which has no address: add --target a=stomp+ws://HOST:PORT/PATH, or omit it.")]
    [InlineData(
        "run request-reply --target a=stomp+ws://h:1/ --target-process a=x", "--target-process a=x is not the id of a process.")]
    public async Task An_arm_that_cannot_be_measured_is_refused_by_name(string line, string refusal)
    {
        Assert.Equal(5, await _terminal.RunAsync(line.Split(' ')));

        Assert.Contains(refusal, _terminal.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void A_server_elsewhere_is_compared_with_the_first_arm_of_the_experiment()
    {
        var scenario = new ScenarioChanges { Elsewhere = ["rabbitmq"] }.ApplyTo(ScenarioFiles.Load("request-reply"));

        Assert.Equal(["direct", "pubsub", "rabbitmq"], scenario.ShownArms);
        Assert.Equal([new("direct", "pubsub"), new Contrast("direct", "rabbitmq")], scenario.Contrasts);
        Assert.True(scenario.FindArm("rabbitmq") is { IsElsewhere: true, HasQueue: false });
        Assert.Same(scenario.Arms, new ScenarioChanges { Elsewhere = ["rabbitmq"] }.ApplyTo(scenario).Arms);
        Assert.True(new ScenarioChanges { Elsewhere = ["rabbitmq"] }.IsEmpty);
    }

    [Fact]
    public void Its_arm_is_read_from_a_record_as_it_was_written()
    {
        Assert.Equal(new Arm("rabbitmq", Arm.Elsewhere), RequestReplyScenario.Experiment.FindArm("rabbitmq"));
        Assert.Null(RequestReplyScenario.Experiment.FindArm("Rabbit MQ"));
        Assert.Null(RequestReplyScenario.Experiment.FindArm(Arm.Floor.Name));
        Assert.Null(PubSubOverWs.LoadTest.Experiments.FanOut.FanOutScenario.Experiment.FindArm("rabbitmq"));
    }

    [Fact]
    public async Task Path_and_virtual_host_are_those_of_the_address()
    {
        var target = await ClientTarget.ResolveAsync(new Uri("stomp+ws://127.0.0.1:15674/stomp/ws#/"), CancellationToken.None);

        Assert.StartsWith(
            "GET /stomp/ws HTTP/1.1\r\nHost: 127.0.0.1:15674\r\n", System.Text.Encoding.ASCII.GetString(target.UpgradeRequest("k")),
            StringComparison.Ordinal);
        Assert.Equal(StompMessages.Connect("/", ServerAccess.None), target.ConnectFrame.ToArray());
        var usual = await ClientTarget.ResolveAsync(new Uri("stomp+ws://127.0.0.1:15674/ws"), CancellationToken.None);
        Assert.Equal(StompMessages.Connect("127.0.0.1", ServerAccess.None), usual.ConnectFrame.ToArray());
    }

    [Fact]
    public async Task The_use_of_a_named_process_is_measured()
    {
        var clients = await ClientTarget.ResolveAsync(new Uri("http://127.0.0.1:5001"), CancellationToken.None);
        using var group = new ServerGroup(
            [new GroupMember("rabbitmq", clients, Stats: null, Process: null) { ReadUse = () => ProcessUse.Read(Environment.ProcessId) }]);

        Assert.True(group.Cpu > TimeSpan.Zero && group.ResidentBytes > 1 << 20);
        Assert.Empty(group.Processes);
    }
}
