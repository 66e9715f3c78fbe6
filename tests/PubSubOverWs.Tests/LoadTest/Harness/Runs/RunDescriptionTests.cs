using PubSubOverWs.LoadTest.Experiments.Paper;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Runs;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.LoadTest.Harness.Runs;

public sealed class RunDescriptionTests
{
    private static readonly PinningPlan NotPinned = new(null, null, "Not pinned: taskset is missing.");

    [Fact]
    public void Secrets_are_masked_in_run_json()
    {
        var run = Start(
            new RunRequest
            {
                Addresses = At((Relays.PubSub, "http://me:secret@10.0.0.1:80/")),
                Queue = new EndpointTarget(new Uri("http://key:word@10.0.0.2/?token=abc"))
            });
        var text = string.Join(' ', run.SetUp.Settings.Values.Append(run.SetUp.Queue));

        Assert.Contains("http://10.0.0.1", text);
        Assert.DoesNotContain("secret", text);
        Assert.DoesNotContain("key:word", text);
        Assert.DoesNotContain("token", text);
    }

    [Fact]
    public void The_login_and_the_presence_of_secrets_are_recorded_and_no_secret_is()
    {
        var settings =
            Start(new RunRequest
            {
                Addresses = At((Relays.Direct, "http://10.0.0.1")),
                Access = new ServerAccess("me", new Secret("passcode"), new Secret("token")),
            }).SetUp.Settings;

        Assert.Equal(("me", Secret.Mask, Secret.Mask), (settings["--login"], settings["--passcode-file"], settings["--stats-token-file"]));
        Assert.DoesNotContain("--login", Start(new RunRequest()).SetUp.Settings.Keys);
    }

    [Fact]
    public void Own_servers_share_the_machine_and_use_the_embedded_queue()
    {
        var setUp = Start(new RunRequest()).SetUp;

        Assert.True(setUp.OwnServers);
        Assert.True(setUp.SharedMachine);
        Assert.StartsWith("LocalSqs", setUp.Queue);
        Assert.Equal("masked", setUp.Settings["pubsub Sqs:SecretKey"]);
        Assert.Equal("Not pinned: taskset is missing.", setUp.NotPinnedBecause);
    }

    [Fact]
    public void Servers_elsewhere_do_not_share_the_machine()
    {
        var setUp = Start(new RunRequest { Addresses = At((Relays.Direct, "http://10.0.0.1"), (Relays.PubSub, "http://10.0.0.2")) }).SetUp;

        Assert.False(setUp.OwnServers);
        Assert.False(setUp.SharedMachine);
        Assert.Equal("of a server that was already there", setUp.Queue);
    }

    [Fact]
    public void A_queue_at_AWS_is_described_with_its_region_the_settings_of_the_server_and_the_expected_cost()
    {
        var run = Start(new RunRequest { Queue = new AwsTarget("eu-west-1"), PricePerMillion = 0.5m });

        Assert.Equal("Amazon SQS in eu-west-1 (a fresh queue for each block, deleted after it)", run.SetUp.Queue);
        Assert.Equal(
            ["--region=eu-west-1", "--sqs=aws", "--sqs-price=0.5", "pubsub Queue:Name=fresh for each block", "pubsub Queue:PollLoops=4",
                "pubsub Queue:Sending:Pack=50", "pubsub Queue:WaitTime=00:00:15", "pubsub Sqs:Region=eu-west-1"],
            run.SetUp.Settings.Select(one => $"{one.Key}={one.Value}"));
        Assert.Equal(0.5m, run.Bill?.PricePerMillion);
        Assert.Null(run.Bill?.Made);
    }

    [Fact]
    public void A_queue_at_AWS_of_a_server_that_was_already_there_is_described_as_such() => Assert.Equal(
        "Amazon SQS in eu-west-1 (of a server that was already there)",
        Start(new RunRequest { Queue = new AwsTarget("eu-west-1"), Addresses = At((Relays.PubSub, "http://10.0.0.1")) }).SetUp.Queue);

    [Fact]
    public void What_has_the_clients_is_always_recorded()
    {
        Assert.Equal(ClientKind.Own, Start(new RunRequest()).SetUp.Client);
        Assert.Equal(ClientKind.Browser, Start(new RunRequest { Client = ClientKind.Browser }).SetUp.Client);
    }

    [Fact]
    public void The_client_of_the_queue_is_recorded_if_the_run_starts_the_server()
    {
        Assert.Equal("http", Start(new RunRequest()).SetUp.SqsClient);
        Assert.Equal(
            "aws-sdk", Start(new RunRequest { Queue = QueueTarget.Embedded with { SqsClient = SqsClientKind.AwsSdk } }).SetUp.SqsClient);
        Assert.Null(Start(new RunRequest { Addresses = At((Relays.PubSub, "http://10.0.0.1")) }).SetUp.SqsClient);
        Assert.Null(Start(new RunRequest(), RecordedRun.Scenario with { Arms = Relays.Named(Relays.Direct) }).SetUp.SqsClient);
    }

    [Fact]
    public void A_resumed_run_keeps_its_start_and_counts_how_often()
    {
        using var cut = new RecordedRun(rows: 3);
        var job = RunJobs.Make(new RunRequest { Resume = cut.Folder }, "/", DateTimeOffset.UnixEpoch);

        var run = RunDescription.Start(job, NotPinned, DateTimeOffset.MaxValue);

        Assert.Equal(new DateTimeOffset(2026, 1, 1, 0, 0, 0, TimeSpan.Zero), run.Started);
        Assert.Equal(1, run.Resumed);
        Assert.Equal([1, 3], run.Order.Select(step => step.Iteration));
    }

    [Fact]
    public void Several_servers_that_share_the_work_say_so_in_their_settings()
    {
        var settings = Start(new RunRequest(), RecordedRun.Scenario with { PubSubNodes = 2 }).SetUp.Settings;

        Assert.Equal("true", settings["pubsub Queue:Nodes:Enabled"]);
        Assert.DoesNotContain("pubsub Queue:Nodes:Enabled", Start(new RunRequest()).SetUp.Settings.Keys);
    }

    [Fact]
    public void The_processor_is_named_by_its_model() =>
        Assert.Equal(
            "Some CPU @ 2.00GHz",
            MachineDescription.CpuModel(["processor\t: 0", "model name\t: Some CPU @ 2.00GHz", "model name\t: Some CPU @ 2.00GHz"]));

    [Fact]
    public void Nothing_in_it_names_the_machine_or_its_user()
    {
        var machine = MachineDescription.Make();
        var text = string.Join(' ', [machine.Os, machine.Cpu, machine.Runtime, .. machine.Limits.Values, .. machine.Versions.Values]);

        Assert.DoesNotContain(Environment.MachineName, text, StringComparison.OrdinalIgnoreCase);
        Assert.True(machine.Cores > 0 && machine.MemoryBytes > 0);
    }

    private static Dictionary<string, Uri> At(params (string Target, string Url)[] servers) =>
        servers.ToDictionary(server => server.Target, server => new Uri(server.Url));

    private static RunRecord Start(RunRequest request, OneWayScenario? scenario = null)
    {
        var order = RunPlan.For(RecordedRun.Scenario);
        scenario ??= RecordedRun.Scenario;
        var job = new RunJob
        { Request = request, Scenario = scenario, Folder = "/", Order = order, Trials = Trial.From(RecordedRun.Scenario, order) };
        return RunDescription.Start(job, NotPinned, DateTimeOffset.UnixEpoch);
    }
}
