using PubSubOverWs.LoadTest.Experiments.Transports.Load;
using PubSubOverWs.LoadTest.Harness.Machine;
using PubSubOverWs.LoadTest.Harness.Network;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.EndToEndTests.LoadTest;

public sealed class RefusedRunTests : IDisposable
{
    private readonly TestFolder _folder = new();

    [Fact]
    public async Task A_server_that_cannot_be_reached_is_refused_before_anything_is_started()
    {
        var port = FreePort.Find();

        var run = await LoadTestProcess.RunAsync(_folder.Path, "run", "smoke", "--out", "record", "--direct", $"http://127.0.0.1:{port}");

        Assert.Equal(10, run.ExitCode);
        Assert.Matches(
            $@"^The direct server at http://127\.0\.0\.1:{port}/ cannot be reached \(.+\): start it, or omit --direct to have the "
                + @"run start one\.$", run.Error);
        Assert.False(Directory.Exists(_folder.Record));
    }

    [Fact]
    public async Task A_queue_that_cannot_be_reached_is_refused_before_anything_is_started()
    {
        var port = FreePort.Find();

        var run = await LoadTestProcess.RunAsync(
            _folder.Path, "run", "smoke", "--out", "record", "--sqs-endpoint", $"http://127.0.0.1:{port}");

        Assert.Equal(10, run.ExitCode);
        Assert.StartsWith($"The queue at http://127.0.0.1:{port}/ cannot be used: ", run.Error);
        Assert.False(Directory.Exists(_folder.Record));
    }

    [Fact]
    public async Task A_second_run_is_refused_with_the_pid_of_the_first()
    {
        using var held = RunLock.Take(_folder.Path, "run paper");

        var run = await LoadTestProcess.RunAsync(_folder.Path, "run", "smoke", "--out", "record");

        Assert.Equal(5, run.ExitCode);
        Assert.Contains($"pid {Environment.ProcessId}, run paper", run.Error);
        Assert.False(Directory.Exists(_folder.Record));
    }

    [FactNeeds(Needed.Linux)]
    public async Task Too_few_descriptors_are_refused_before_anything_is_started()
    {
        using var program = LoadTestProcess.StartBehind(
            ["prlimit", "--nofile=300:300"], _folder.Path, "run", "smoke", "--users", "500", "--out", "record");
        var run = await program.EndAsync();

        Assert.Equal(5, run.ExitCode);
        Assert.StartsWith("This machine cannot run this: descriptors: 300 allowed, 756 needed for 500 users; ", run.Error);
        Assert.False(Directory.Exists(_folder.Record));
    }

    [FactNeeds(Needed.Linux)]
    public async Task A_folder_that_cannot_be_written_is_refused_before_anything_is_started()
    {
        var run = await LoadTestProcess.RunAsync(_folder.Path, "run", "smoke", "--out", "/proc/self/record");

        Assert.Equal(5, run.ExitCode);
        Assert.StartsWith("This machine cannot run this: disk: the folder of the record cannot be written (", run.Error);
    }

    [FactNeeds(Needed.Linux)]
    [Trait("Category", "Long")]
    public async Task A_run_whose_record_cannot_grow_says_what_is_kept_and_is_resumed_where_it_can()
    {
        // Files of at most 16 KiB stand for a full disk: the first samples of 2,000 users are larger.
        using var program = LoadTestProcess.StartBehind(
            ["env", "DOTNET_EnableWriteXorExecute=0", "sh", "-c", "trap '' XFSZ; ulimit -f 32; exec \"$@\"", "sh"],
            _folder.Path, "run", "smoke", "--arms", "direct", "--users", "5,2000", "--iterations", "1", "--out", "record");
        var run = await program.EndAsync();

        Assert.Equal(5, run.ExitCode);
        Assert.Matches(
            @"\.csv\.gz cannot be written \(.+\): check the permissions and the free space of its folder\. What was recorded is kept in "
                + @".+record\. When it can be written, continue with: pubsub-over-ws run --resume .+record$",
            run.Error);

        var resumed = await LoadTestProcess.RunAsync(_folder.Path, "run", "--resume", "record");

        Assert.True(resumed.ExitCode == 0, resumed.Output + resumed.Error);
        await _folder.ValidateAsync();
    }

    [Fact]
    public async Task A_server_of_the_other_kind_is_refused()
    {
        await using var direct = await TestServers.DirectAsync();

        var run = await LoadTestProcess.RunAsync(_folder.Path, "run", "smoke", "--out", "record", "--pubsub", direct.Address.ToString());

        Assert.Equal(5, run.ExitCode);
        Assert.Equal(
            $"The server at {direct.Address} says that it is 'direct', not 'pubsub': give --pubsub the address of a pubsub server.",
            run.Error);
    }

    [Theory]
    [InlineData("fault-proxy", "--urls", "http://0.0.0.0:0")]
    [InlineData("fault-proxy", "--Kestrel:Endpoints:A:Url", "http://0.0.0.0:0")]
    [InlineData(NullEcho.Command, "--Kestrel:Endpoints:A:Url", "http://0.0.0.0:0")]
    [InlineData(FeedServer.Command, "--Kestrel:Endpoints:A:Url", "http://0.0.0.0:0")]
    public async Task A_command_without_access_control_listens_on_loopback_only_however_the_address_is_set(
        string command, string setting, string value)
    {
        string[] target = command == FaultProxyProcess.Command ? ["--target", "http://127.0.0.1:9"] : [];

        var result = await LoadTestProcess.RunAsync(_folder.Path, [command, .. target, setting, value]);

        Assert.Equal(
            (5,
                $"{command} has no access control and listens on loopback only, not on 0.0.0.0:0: use --urls http://127.0.0.1:0."),
            (result.ExitCode, result.Error.Trim()));
    }

    [FactNeeds(Needed.Linux)]
    public async Task A_run_with_a_key_that_the_queue_does_not_know_is_refused_with_the_same_sentence()
    {
        await using var queue = await TestServers.QueueAsync();

        using var program = LoadTestProcess.StartBehind(
            ["env", "AWS_ACCESS_KEY_ID=unknown", "AWS_SECRET_ACCESS_KEY=unknown"],
            _folder.Path, "run", "smoke", "--out", "record", "--sqs-endpoint", queue.Address.ToString());
        var run = await program.EndAsync();

        Assert.NotEqual(0, run.ExitCode);
        Assert.Contains(
            $"The queue at {queue.Address} refused GetQueueUrl with UnrecognizedClientException (The security token included in the "
                + "request is invalid): "
            + "check whether the access key is right.",
            run.Error, StringComparison.Ordinal);
        Assert.False(Directory.Exists(_folder.Record));
    }

    public void Dispose() => _folder.Dispose();
}
