using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness.Machine;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.Record.Files;

namespace PubSubOverWs.EndToEndTests.LoadTest;

/// <summary>Runs on a queue that someone else operates and may have to pay for. LocalSqs stands in for AWS.</summary>
public sealed class PaidQueueTests : IAsyncLifetime
{
    private static readonly string[] Small = ["run", "smoke", "--users", "5,10", "--iterations", "4", "--blocks", "2", "--out", "record"];

    // Then the second level of the first block is under way.
    private const string FirstLevelDone = "8/32 ";

    private readonly TestFolder _folder = new();
    private ChildServer _queues = null!;

    private string Endpoint => _queues.Address.ToString();

    public async Task InitializeAsync() =>
        _queues = await TestServers.QueueAsync();

    [Fact]
    [Trait("Category", "Long")]
    public async Task A_run_deletes_its_queues_and_records_expected_and_actual_requests()
    {
        var run = await LoadTestProcess.RunAsync(_folder.Path, [.. Small, "--sqs-endpoint", Endpoint, "--sqs-price", "0.40"]);

        var record = _folder.RecordOf(run);
        Assert.Matches(@"(?m)^cost       [\d,]+ to [\d,]+ requests to SQS, ", run.Output);
        Assert.Empty(await QueuesAsync());
        Assert.StartsWith("SQS at http://127.0.0.1:", record.Run.SetUp.Queue, StringComparison.Ordinal);
        Assert.Equal(2, record.Events.Count(one => one.Kind == "queue-deleted"));
        Assert.DoesNotContain(record.Events, one => one.Target == "localsqs");
        var bill = record.Run.Bill!;
        Assert.InRange(bill.Made!.Value, record.Rows.Sum(row => row.Queue?.Calls.Total ?? 0), bill.ExpectedAtMost);
        Assert.Contains("The queue was expected to cost", await File.ReadAllTextAsync(Path.Combine(_folder.Record, "report.md")));
    }

    [Fact]
    [Trait("Category", "Long")]
    public async Task A_run_with_several_pubsub_servers_deletes_their_queues_and_topics_too()
    {
        var run = await LoadTestProcess.RunAsync(
            _folder.Path, [.. Small, "--pubsub-nodes", "2", "--sqs-endpoint", Endpoint, "--sqs-price", "0.40"]);

        var record = _folder.RecordOf(run);
        Assert.Empty(await QueuesAsync());
        Assert.Empty(await TopicsAsync());
        Assert.Empty(_folder.ProcessesLeft());
        Assert.Equal(2, record.Events.Count(one => one.Kind == "queue-deleted"));
        Assert.All(record.Rows, row => Assert.Equal((row.Users, DrainState.Proven), (row.Buckets.Delivered, row.DrainState)));
        var bill = record.Run.Bill!;
        Assert.InRange(bill.Made!.Value, record.Rows.Sum(row => row.Queue?.Calls.Total ?? 0), bill.ExpectedAtMost);
    }

    [FactNeeds(Needed.Linux)]
    [Trait("Category", "Long")]
    public async Task Queues_and_topics_of_a_killed_run_with_several_pubsub_servers_are_cleaned_up()
    {
        using (var run = LoadTestProcess.Start(_folder.Path, [.. Small, "--pubsub-nodes", "2", "--sqs-endpoint", Endpoint]))
        {
            await run.UntilLineAsync(FirstLevelDone);
            await run.KillAsync();
        }

        Assert.Single(await TopicsAsync());
        Assert.Matches(
            @"-1-node-\w{6}  0:\d\d:\d\d old, \d+ messages, fed by topic pubsuboverws-\w{16}-1\n",
            (await QueuesCommandAsync("list")).Output);

        // The queue with its dead and parked messages, and of each of two nodes its own and its control queue.
        Assert.EndsWith("7 queues deleted, 0 younger ones left alone.", (await QueuesCommandAsync("clean", "--older-than", "0s")).Output);
        Assert.Empty(await QueuesAsync());
        Assert.Empty(await TopicsAsync());
    }

    [FactNeeds(Needed.Linux)]
    [Trait("Category", "Long")]
    public async Task After_Ctrl_C_in_the_middle_no_queue_is_left()
    {
        using var run = LoadTestProcess.StartInterruptible(_folder.Path, [.. Small, "--sqs-endpoint", Endpoint, "--sqs-price", "0.40"]);
        await run.UntilLineAsync(FirstLevelDone);
        Assert.NotEmpty(await QueuesAsync());

        await run.InterruptAsync();
        var end = await run.EndAsync();

        Assert.True(end.ExitCode == 3, end.Output + end.Error);
        Assert.Empty(await QueuesAsync());
        Assert.Empty(_folder.ProcessesLeft());
        Assert.True(RecordReader.Read(_folder.Record).Run.Bill!.Made > 0);
    }

    [FactNeeds(Needed.Linux)]
    public async Task Queues_of_a_killed_run_are_listed_and_cleaned_up_once_they_are_old_enough()
    {
        using (var run = LoadTestProcess.Start(_folder.Path, [.. Small, "--sqs-endpoint", Endpoint]))
        {
            await run.UntilLineAsync(FirstLevelDone);
            await run.KillAsync();
        }

        var listed = await QueuesCommandAsync("list");
        Assert.Matches(
            @"^pubsuboverws-\w{16}-1  0:\d\d:\d\d old, \d+ messages\npubsuboverws-\w{16}-1-dead  0:\d\d:\d\d old, 0 "
                + @"messages\npubsuboverws-\w{16}-1-parked  0:\d\d:\d\d old, 0 messages\n3 queues of runs\.$", listed.Output);
        Assert.EndsWith("0 queues deleted, 3 younger ones left alone.", (await QueuesCommandAsync("clean", "--older-than", "1h")).Output);
        Assert.EndsWith(
            "3 queues would be deleted, 0 younger ones left alone.",
            (await QueuesCommandAsync("clean", "--older-than", "0s", "--dry-run")).Output);
        Assert.Equal(3, (await QueuesAsync()).Count);

        using (RunLock.Take(_folder.Path, "run paper"))
        {
            var refused = await LoadTestProcess.RunAsync(_folder.Path, "queues", "clean", "--older-than", "0s", "--sqs-endpoint", Endpoint);
            Assert.Equal(5, refused.ExitCode);
            Assert.StartsWith($"A run is measuring on this machine (pid {Environment.ProcessId}, run paper)", refused.Error);
        }

        var cleaned = await QueuesCommandAsync("clean", "--older-than", "0s");

        Assert.Matches(@"-1-parked  0:\d\d:\d\d old, 0 messages: deleted\n3 queues deleted, 0 younger ones left alone\.$", cleaned.Output);
        Assert.Empty(await QueuesAsync());
    }

    [Fact]
    public async Task A_queue_that_can_no_longer_be_deleted_is_reported_to_the_user()
    {
        using var run = LoadTestProcess.Start(_folder.Path, [.. Small, "--sqs-endpoint", Endpoint]);
        await run.UntilLineAsync(FirstLevelDone);

        // The server, too: it would try to give back what it holds for as long as it may.
        await _queues.KillAsync();
        using (var server = Process.GetProcessById(_folder.ProcessOf("pubsub")))
            server.Kill();
        var end = await run.EndAsync();

        Assert.NotEqual(0, end.ExitCode);
        Assert.Matches(
            @"The queue pubsuboverws-\w{16}-\d could not be deleted, and may still exist: .+ Check with "
                + @"pubsub-over-ws queues list, and delete it with pubsub-over-ws queues clean\.", end.Error);
    }

    [FactNeeds(Needed.Linux)]
    public async Task AWS_without_credentials_is_refused_before_anything_is_started_or_called()
    {
        // The metadata service of a machine at AWS is not asked, and so nothing leaves this machine.
        using var program = LoadTestProcess.StartBehind(
            ["env", "-u", "AWS_ACCESS_KEY_ID", "-u", "AWS_SECRET_ACCESS_KEY", "-u", "AWS_PROFILE", "AWS_EC2_METADATA_DISABLED=true",
                $"HOME={_folder.Path}"],
            _folder.Path, [.. Small, "--sqs", "aws", "--region", "eu-west-1", "--yes-this-costs-money"]);
        var run = await program.EndAsync();

        Assert.True(run.ExitCode == 5, run.Output + run.Error);
        Assert.Matches(@"(?m)^cost       [\d,]+ to [\d,]+ requests to SQS, \$0\.\d+ to \$0\.\d+ at \$0\.40 per million$", run.Output);
        Assert.StartsWith("Amazon SQS in eu-west-1 needs credentials and a region: No AWS credentials were found", run.Error);
        Assert.False(Directory.Exists(_folder.Record));
    }

    [FactNeeds(Needed.Linux)]
    public async Task AWS_is_refused_where_AWSs_own_settings_name_another_server()
    {
        using var program = LoadTestProcess.StartBehind(
            ["env", "AWS_ENDPOINT_URL=http://localhost:4566"], _folder.Path,
            [.. Small, "--sqs", "aws", "--region", "eu-west-1", "--yes-this-costs-money"]);
        var run = await program.EndAsync();

        Assert.True(run.ExitCode == 5, run.Output + run.Error);
        Assert.Contains("AWS_ENDPOINT_URL is 'http://localhost:4566'", run.Error);
        Assert.False(Directory.Exists(_folder.Record));
    }

    [Fact]
    public async Task AWS_is_refused_unless_the_user_agrees_to_the_cost()
    {
        var run = await LoadTestProcess.RunAsync(_folder.Path, [.. Small, "--sqs", "aws", "--region", "eu-west-1"]);

        Assert.Equal(5, run.ExitCode);
        Assert.Matches(
            @"^Amazon SQS in eu-west-1 costs money, here about .+ per million: use --yes-this-costs-money if that may be spent", run.Error);
        Assert.False(Directory.Exists(_folder.Record));
    }

    public async Task DisposeAsync()
    {
        await _queues.DisposeAsync();
        _folder.Dispose();
    }

    private async Task<ProgramResult> QueuesCommandAsync(params string[] arguments)
    {
        var result = await LoadTestProcess.RunAsync(_folder.Path, ["queues", .. arguments, "--sqs-endpoint", Endpoint]);
        Assert.True(result.ExitCode == 0, result.Output + result.Error);
        return result;
    }

    /// <summary>All that the queue server has.</summary>
    private async Task<IReadOnlyList<string>> QueuesAsync()
    {
        using var sqs = QueueTarget.Embedded.Connect(_queues.Address, TimeProvider.System);
        return await sqs.ListQueuesAsync("", CancellationToken.None);
    }

    private async Task<IReadOnlyList<string>> TopicsAsync()
    {
        using var sns = QueueTarget.Embedded.ConnectTopics(_queues.Address, TimeProvider.System);
        return await sns.ListTopicsAsync("", CancellationToken.None);
    }
}
