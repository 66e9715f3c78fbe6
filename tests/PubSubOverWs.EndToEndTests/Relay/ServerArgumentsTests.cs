using System.Net;
using System.Net.Sockets;
using System.Text.Json;
using PubSubOverWs.EndToEndTests.LoadTest;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.EndToEndTests.Relay;

/// <summary>The command lines of the servers.</summary>
public sealed class ServerArgumentsTests
{
    [Theory]
    [InlineData("--Relay:OutboxFrames five", "Relay:OutboxFrames is 'five', and must be a whole number, between 1 and 1000000.")]
    [InlineData("--Relay:OutboxFrames -5", "Relay:OutboxFrames is '-5', and must be between 1 and 1000000.")]
    [InlineData("--Relay:KeepAlive 1min", "Relay:KeepAlive is '1min', and must be a time, such as 00:00:30, 0 (off) or between ")]
    [InlineData("--Relay:SlowConsumer drop", "Relay:SlowConsumer is 'drop', and must be one of Wait, Disconnect.")]
    [InlineData("--url http://127.0.0.1:0", "There is no setting --url, did you mean --urls? This server has ")]
    [InlineData(
        "--Relays:OutboxFrames 5", "There is no setting --Relays:OutboxFrames, did you mean --Relay:OutboxFrames? This server has ")]
    [InlineData("--Queue:Name jobs", "There is no setting --Queue:Name. This server has ")]
    [InlineData("--urls", "--urls has no value: ")]
    [InlineData("--urls --child", "--urls has no value: ")]
    [InlineData("http://127.0.0.1:0", "'http://127.0.0.1:0' is not a setting: ")]
    [InlineData("-x=3", "'-x=3' is not a setting: ")]
    public async Task An_argument_that_cannot_be_used_is_refused_in_one_sentence(string arguments, string sentence)
    {
        var ended = await ServerProgram.RunAsync("", arguments.Split(' '));

        Assert.StartsWith(sentence, ended.Error, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', ended.Error);
        Assert.Equal((5, ""), (ended.ExitCode, ended.Output));
    }

    [Theory]
    [InlineData("--LocalSqs:Seed one", "LocalSqs:Seed is 'one', and must be a whole number.")]
    [InlineData(
        "--LocalSqs:Delay 1", "There is no setting LocalSqs:Delay, did you mean LocalSqs:DelayP50? Section LocalSqs has AccessKey, ")]
    [InlineData("--Relay:OutboxFrames 5", "There is no setting --Relay:OutboxFrames. This server has ")]
    public async Task LocalSqs_refuses_what_it_cannot_use(string arguments, string sentence)
    {
        var ended = await EndAsync(SqsPrograms.LocalSqs.Command(arguments.Split(' ')));

        Assert.StartsWith(sentence, ended.Error, StringComparison.Ordinal);
        Assert.Equal((5, ""), (ended.ExitCode, ended.Output));
    }

    [Theory]
    [InlineData("Relays__OutboxFrames", "There is no section Relays (environment variable Relays__OutboxFrames), did you mean Relay?")]
    [InlineData(
        "Relay__OutboxFrame",
        "There is no setting Relay:OutboxFrame (environment variable Relay__OutboxFrame), did you mean Relay:OutboxFrames? Section ")]
    public async Task A_misspelt_environment_variable_is_refused_by_its_name(string variable, string sentence)
    {
        var ended = await EndAsync(
            DirectTarget.Program.Command() with { Environment = new Dictionary<string, string> { [variable] = "5" } });

        Assert.StartsWith(sentence, ended.Error, StringComparison.Ordinal);
        Assert.Equal((5, ""), (ended.ExitCode, ended.Output));
    }

    [Theory]
    [InlineData("direct")]
    [InlineData("localsqs")]
    public async Task A_file_of_settings_that_is_no_json_is_refused_by_its_name_with_the_place(string server)
    {
        using var folder = new TestFolder();
        await File.WriteAllTextAsync(Path.Combine(folder.Path, "appsettings.json"), "{\n  \"Relay\": { \"OutboxFrames\": five }\n}");

        var ended = await EndAsync(Command(server, "--contentRoot", folder.Path));

        Assert.EndsWith(
            "appsettings.json': line 2, column 31 is not the JSON that is expected there.", ended.Error, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', ended.Error);
        Assert.Equal((5, ""), (ended.ExitCode, ended.Output));
    }

    [Theory]
    [InlineData("direct", "--help", "Relay:OutboxFrames                     1000         between 1 and 1000000")]
    [InlineData("direct", "-h --Relay:OutboxFrames five", "users add ")]
    [InlineData("pubsub", "help", "Queue:Sending:Pack")]
    [InlineData("localsqs", "--help", "LocalSqs:MaxBytes")]
    [InlineData("direct", "--version", "PubSubOverWs.DirectServer 0.")]
    [InlineData("localsqs", "-v", "PubSubOverWs.LocalSqs 0.")]
    public async Task Help_and_version_are_printed_and_nothing_is_started(string server, string arguments, string printed)
    {
        var ended = await EndAsync(Command(server, arguments.Split(' ')));

        Assert.Contains(printed, ended.Output, StringComparison.Ordinal);
        Assert.Equal((0, ""), (ended.ExitCode, ended.Error));
        var settings = ended.Output.Split('\n').Where(line => line.Contains(':', StringComparison.Ordinal))
            .Select(line => line.TrimStart().Split(' ')[0]).ToArray();
        Assert.Equal(settings.Distinct(), settings);
    }

    [Theory]
    [InlineData("direct", "127.0.0.1")]
    [InlineData("direct", "127.0.0.1", "--Relay:FrontEnd", "Lean")]
    [InlineData("direct", "localhost", "--Relay:FrontEnd", "Lean")]
    [InlineData("localsqs", "127.0.0.1")]
    public async Task A_server_whose_port_is_taken_says_so_in_one_sentence_and_ends_with_5(
        string server, string host, params string[] settings)
    {
        using var taken = Taken(out var port);

        var ended = await EndAsync(Command(server, ["--urls", $"http://{host}:{port}", .. settings]));

        Assert.Equal(5, ended.ExitCode);
        Assert.Contains($"127.0.0.1:{port}: address already in use. Choose another with --urls, or stop what listens there.", ended.Error);
    }

    [Fact]
    public async Task The_stream_server_does_so_too()
    {
        using var folder = new TestFolder();
        using var taken = Taken(out var port);

        var run = await LoadTestProcess.RunAsync(folder.Path, "stream-server", "--port", $"{port}");

        Assert.Equal(5, run.ExitCode);
        Assert.EndsWith($":{port}: address already in use. Choose another with --port, or stop what listens there.", run.Error);
        Assert.DoesNotContain('\n', run.Error);
        Assert.Equal("", run.Output);
    }

    [Theory]
    [InlineData("direct")]
    [InlineData("pubsub")]
    [InlineData("localsqs")]
    public void The_program_of_a_server_compiles_hot_code_again_at_once(string server)
    {
        var folder = Path.Combine(AppContext.BaseDirectory, "servers", server);
        var file = Assert.Single(Directory.GetFiles(folder, "*.runtimeconfig.json"));
        using var settings = JsonDocument.Parse(File.ReadAllText(file));

        Assert.Equal(
            0,
            settings.RootElement.GetProperty("runtimeOptions").GetProperty("configProperties")
                .GetProperty("System.Runtime.TieredCompilation.CallCountingDelayMs").GetInt32());
    }

    private static TcpListener Taken(out int port)
    {
        var taken = new TcpListener(IPAddress.Loopback, 0);
        taken.Start();
        port = ((IPEndPoint)taken.LocalEndpoint).Port;
        return taken;
    }

    private static ChildCommand Command(string server, params string[] arguments) =>
        new[] { DirectTarget.Program, PubSubTarget.Program, SqsPrograms.LocalSqs }.Single(one => one.Name == server).Command(arguments);

    private static async Task<ProgramResult> EndAsync(ChildCommand command)
    {
        using var program = ServerProgram.Start(command);
        return await program.EndAsync();
    }
}
