using PubSubOverWs.EndToEndTests.Relay;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Relay;

namespace PubSubOverWs.EndToEndTests.LoadTest;

/// <summary>Runs against a server that has users.</summary>
public sealed class AccessRunTests(AccessRunTests.Server server) : IClassFixture<AccessRunTests.Server>, IDisposable
{
    private readonly TestFolder _folder = new();

    [Fact]
    public async Task With_login_and_token_every_user_connects_and_no_secret_is_in_the_record()
    {
        var run = await RunAsync(
            "--login", "alice", "--passcode-file", server.Files.PasscodeFile, "--stats-token-file", server.Files.StatsTokenFile);

        var record = RecordReader.Read(_folder.Record);
        var rows = record.Rows.Where(row => row.Arm == Relays.Direct).ToArray();
        Assert.NotEmpty(rows);
        Assert.All(rows, row => Assert.Equal(row.Users, row.Buckets.Delivered));
        Assert.All(rows, row => Assert.NotNull(row.ClientBytes));
        Assert.Equal(
            ("alice", "given, not recorded", "given, not recorded"),
            (record.Run.SetUp.Settings["--login"], record.Run.SetUp.Settings["--passcode-file"],
                record.Run.SetUp.Settings["--stats-token-file"]));
        var written = Directory.EnumerateFiles(_folder.Path, "*", SearchOption.AllDirectories).Select(File.ReadAllText)
            .Append(run.Output + run.Error);
        Assert.All(
            written, text => Assert.All(server.Files.Secrets, secret => Assert.DoesNotContain(secret, text, StringComparison.Ordinal)));
    }

    [Fact]
    public async Task A_wrong_passcode_is_reported_before_anything_is_measured_and_not_repeated()
    {
        var wrong = Path.Combine(_folder.Path, "wrong");
        await File.WriteAllTextAsync(wrong, "not the passcode");

        var run = await RunAsync("--login", "alice", "--passcode-file", wrong, "--stats-token-file", server.Files.StatsTokenFile);

        Assert.Equal(
            (5,
                $"The server at {server.Address} rejects the login 'alice' (ERROR The login or the passcode is wrong: check both.): check "
                    + "--login and --passcode-file."),
            (run.ExitCode, run.Error));
        Assert.False(Directory.Exists(_folder.Record));
    }

    [Fact]
    public async Task A_missing_login_is_reported_before_anything_is_measured()
    {
        var run = await RunAsync("--stats-token-file", server.Files.StatsTokenFile);

        Assert.Equal(5, run.ExitCode);
        Assert.StartsWith($"The server at {server.Address} rejects a client without a user (", run.Error);
        Assert.EndsWith("name one by --login and --passcode-file.", run.Error);
        Assert.False(Directory.Exists(_folder.Record));
    }

    [Fact]
    public async Task A_missing_token_is_reported_before_anything_is_measured()
    {
        var run = await RunAsync("--login", "alice", "--passcode-file", server.Files.PasscodeFile);

        Assert.Equal(
            (5, $"The direct server at {server.Address} does not show its /stats: name the file with its token in --stats-token-file."),
            (run.ExitCode, run.Error));
    }

    public void Dispose() => _folder.Dispose();

    private Task<ProgramResult> RunAsync(params string[] access) => LoadTestProcess.RunAsync(
        _folder.Path,
        ["run", "smoke", "--users", "5,10", "--arms", "direct", "--direct", server.Address.ToString(), "--out", "record", .. access]);

    /// <summary>A direct server whose user alice may use all.</summary>
    public sealed class Server : IAsyncLifetime
    {
        private ChildServer _process = null!;

        public AccessFiles Files { get; } = new("/");

        public Uri Address => _process.Address;

        public async Task InitializeAsync()
        {
            await Files.InitializeAsync();
            _process = await TestServers.DirectAsync(Files.Settings);
        }

        public async Task DisposeAsync()
        {
            await _process.DisposeAsync();
            await Files.DisposeAsync();
        }
    }
}
