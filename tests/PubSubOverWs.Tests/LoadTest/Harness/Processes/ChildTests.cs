using PubSubOverWs.LoadTest.Experiments.Transports.Load;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.Tests.LoadTest.Harness.Processes;

/// <summary>How a child is started, what it inherits, what it says, and how its end is told.</summary>
public sealed class ChildTests
{
    private static readonly ChildCommand Command = new("pubsub", "pubsub.dll", []);

    /// <summary>Else the null echo is no lower bound. What the programs of the servers have is a test of the end-to-end tests.</summary>
    [Fact]
    public void Web_servers_that_are_commands_of_this_program_compile_and_collect_as_the_servers_do() => Assert.All(
        new[] { NullEcho.ChildCommand, FeedServer.ChildCommand },
        command =>
        {
            Assert.Equal("0", command.Environment!["DOTNET_TC_CallCountingDelayMs"]);
            Assert.Equal("1", command.Environment["DOTNET_gcServer"]);
        });

    [Fact]
    public void A_child_that_refuses_how_it_was_set_up_says_itself_why_and_ends_the_program_with_5()
    {
        var failure = ChildFailure.Ended(
            Command, new ChildExit(5, Killed: false, ["warn: something else", "There is no setting Sqs:Quue: section Sqs has Queue."]));

        Assert.Equal(5, failure.ExitCode);
        Assert.Equal(
            "The pubsub server cannot start with its settings: There is no setting Sqs:Quue: section Sqs has Queue.", failure.Message);
    }

    [Fact]
    public void A_child_that_could_not_reach_its_queue_ends_the_program_with_10()
    {
        var failure = ChildFailure.Ended(Command, new ChildExit(10, Killed: false, ["nobody answers at http://127.0.0.1:1"]));

        Assert.Equal(10, failure.ExitCode);
        Assert.Contains("could not reach its queue", failure.Message, StringComparison.Ordinal);
        Assert.Contains("nobody answers at http://127.0.0.1:1", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Any_other_end_is_reported_with_its_exit_code_and_last_lines()
    {
        var failure = ChildFailure.Ended(Command, new ChildExit(134, Killed: false, ["out of memory"]));

        Assert.Equal(10, failure.ExitCode);
        Assert.Contains("exit code 134", failure.Message, StringComparison.Ordinal);
        Assert.Contains("out of memory", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_child_that_is_not_ready_in_time_is_reported_with_the_path_that_was_asked()
    {
        var failure = ChildFailure.NotReady(Command, TimeSpan.FromSeconds(30), []);

        Assert.Equal(10, failure.ExitCode);
        Assert.Equal(
            "The pubsub server did not answer 200 at /health/ready within 30 s, and was stopped. It had no output.", failure.Message);
    }

    [Fact]
    public void The_line_gives_the_address()
    {
        Assert.True(ListeningLine.TryParse("listening http://127.0.0.1:40123", out var address));
        Assert.Equal(new Uri("http://127.0.0.1:40123/"), address);
    }

    [Theory]
    [InlineData("")]
    [InlineData("listening")]
    [InlineData("listening soon")]
    [InlineData("Now listening on: http://127.0.0.1:40123")]
    [InlineData("listening ftp://127.0.0.1:40123")]
    [InlineData("listening http://127.0.0.1:0")]
    public void Any_other_line_is_passed_over(string line) => Assert.False(ListeningLine.TryParse(line, out _));

    [Fact]
    public async Task Only_the_last_twenty_lines_are_kept_in_memory()
    {
        var log = new ErrorLog();

        await log.ReadAllAsync(new StringReader(string.Join('\n', Enumerable.Range(1, 100))));

        Assert.Equal(Enumerable.Range(81, 20).Select(number => $"{number}"), log.LastLines);
    }

    [Fact]
    public async Task The_frames_of_a_stack_trace_do_not_push_the_reason_out()
    {
        var log = new ErrorLog();

        await log.ReadAllAsync(
            new StringReader("IOException: address already in use\n" + string.Concat(Enumerable.Repeat("   at Some.Frame()\n", 50))));

        Assert.Equal(["IOException: address already in use"], log.LastLines);
    }

    [Fact]
    public void The_host_that_runs_this_program_is_taken() =>
        Assert.Equal("/opt/dotnet/dotnet", DotnetHost.Find("/opt/dotnet/dotnet", "/elsewhere/shared/Microsoft.NETCore.App/10.0.0/"));

    [Fact]
    public void A_program_with_a_host_of_its_own_takes_the_one_beside_its_runtime()
    {
        var root = Directory.CreateTempSubdirectory().FullName;
        var runtime = Directory.CreateDirectory(Path.Combine(root, "shared", "Microsoft.NETCore.App", "10.0.0")).FullName;
        var host = Path.Combine(root, OperatingSystem.IsWindows() ? "dotnet.exe" : "dotnet");
        File.WriteAllText(host, "");

        Assert.Equal(host, DotnetHost.Find("/app/PubSubOverWs.LoadTest", runtime));
    }

    [Theory]
    [InlineData("Access__UsersFile")]
    [InlineData("ACCESS:USERSFILE")]
    [InlineData("Kestrel__Endpoints__A__Url")]
    [InlineData("ASPNETCORE_Kestrel__Endpoints__A__Url")]
    [InlineData("ASPNETCORE_Access__UsersFile")]
    [InlineData("DOTNET_Access__UsersFile")]
    [InlineData("ASPNETCORE_URLS")]
    [InlineData("ASPNETCORE_HTTP_PORTS")]
    [InlineData("ASPNETCORE_HTTPS_PORTS")]
    [InlineData("DOTNET_URLS")]
    [InlineData("urls")]
    [InlineData("Direct__Buffer")]
    [InlineData("Relay__Delivery__AtATime")]
    [InlineData("ASPNETCORE_relay:outboxframes")]
    [InlineData("Queue__VisibilityTimeout")]
    [InlineData("Queue__Nodes__Enabled")]
    [InlineData("LocalSqs__DelayP50")]
    [InlineData("OTEL_EXPORTER_OTLP_ENDPOINT")]
    public void Settings_of_the_access_to_a_server_and_of_its_behaviour_are_not_kept(string variable) =>
        Assert.False(InheritedSettings.AreKept(variable));

    [Theory]
    [InlineData("PATH")]
    [InlineData("DOTNET_ROOT")]
    [InlineData("DOTNET_gcServer")]
    [InlineData("ASPNETCORE_ENVIRONMENT")]
    [InlineData("Accessibility__Mode")]
    [InlineData("Directory")]
    [InlineData("AWS_REGION")]
    [InlineData("Sqs__AccessKey")]
    [InlineData("SQS:SECRETKEY")]
    [InlineData("Sqs__SessionToken")]
    public void All_other_settings_are_kept(string variable) => Assert.True(InheritedSettings.AreKept(variable));
}

public sealed class PathFoldersTests
{
    [Theory]
    [InlineData("server", "/usr/sbin/server")]
    [InlineData("/opt/server", "/opt/server")]
    [InlineData("/opt/another", null)]
    public void A_name_is_looked_for_on_the_path_and_a_path_is_not(string name, string? found) =>
        Assert.Equal(found, PathFolders.Find(name, "/usr/bin:/usr/sbin", file => file is "/usr/sbin/server" or "/opt/server"));

    [Fact]
    public void A_path_below_this_folder_is_not_one_below_a_folder_of_the_path() => Assert.Equal(
        Path.GetFullPath("./server"), PathFolders.Find("./server", "/usr/bin:/usr/sbin", _ => true));
}

public sealed class ChromiumTests
{
    [Fact]
    public void It_is_preferred_to_browsers_that_are_made_of_it_wherever_they_are_on_the_path()
    {
        var (first, second) = (Path.Combine("a", "google-chrome"), Path.Combine("b", "chromium"));
        var path = string.Join(Path.PathSeparator, "a", "", "b");

        Assert.Equal(second, Chromium.Find(path, file => file == first || file == second));
        Assert.Equal(first, Chromium.Find(path, file => file == first));
        Assert.Null(Chromium.Find(path, _ => false));
    }

    [Theory]
    [InlineData("42 (chromium) S 1 40 39 0 -1", 39)]
    [InlineData("42 (a) b (c) S 1 40 39 0 -1", 39)]
    public void The_session_of_a_process_stands_behind_its_name_which_may_hold_anything(string stat, int session) =>
        Assert.Equal(session, Sessions.Parse(stat));
}
