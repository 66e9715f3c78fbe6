using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using PubSubOverWs.LoadTest.Harness.Network;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.EndToEndTests.Load;

public sealed class ChildServerTests
{
    private static readonly ChildOptions Options = new();

    [Fact]
    public async Task A_child_listens_on_a_port_of_its_own_and_ends_when_it_is_stopped()
    {
        await using var server = await TestServers.StartAsync(NullEcho.ChildCommand, Options);

        Assert.True(server.IsRunning);
        Assert.True(server.Address.IsLoopback);
        Assert.True(server.Use.ResidentBytes > 0);
        Assert.True(server.Use.Cpu > TimeSpan.Zero);

        var exit = await server.StopAsync();

        Assert.Equal((0, false), (exit.ExitCode, exit.Killed));
        Assert.False(Exists(server.ProcessId));
    }

    [Fact]
    public async Task A_killed_child_comes_back_on_its_port()
    {
        await using var server = await TestServers.StartAsync(NullEcho.ChildCommand, Options);
        var (address, first) = (server.Address, server.ProcessId);

        var exit = await server.KillAsync();
        Assert.True(exit.Killed);
        Assert.False(server.IsRunning);

        await server.RestartAsync(CancellationToken.None);
        Assert.True(server.IsRunning);
        Assert.Equal(address, server.Address);
        Assert.NotEqual(first, server.ProcessId);
    }

    // IP_LOCAL_PORT_RANGE (ip(7), since 6.3): of all ports that the system may choose for a client only this one is left.
    [FactNeeds(Needed.Linux63)]
    public async Task No_client_is_given_the_port_of_a_child_while_it_is_down()
    {
        const int ip = 0, localPortRange = 51;
        await using var server = await TestServers.StartAsync(NullEcho.ChildCommand, Options);
        await server.KillAsync();
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        using var client = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        client.SetRawSocketOption(ip, localPortRange, BitConverter.GetBytes(server.Address.Port | (server.Address.Port << 16)));

        var refused = await Assert.ThrowsAsync<SocketException>(() => client.ConnectAsync(listener.LocalEndpoint));

        Assert.Equal(SocketError.AddressNotAvailable, refused.SocketErrorCode);
        await server.RestartAsync(CancellationToken.None);
        Assert.True(server.IsRunning);
    }

    [Fact]
    public async Task A_child_that_is_replaced_twice_is_told_to_end_each_time_and_only_the_last_is_left()
    {
        await using var server = await TestServers.StartAsync(NullEcho.ChildCommand, Options);
        var first = server.ProcessId;
        await server.ReplaceAsync(CancellationToken.None);
        var second = server.ProcessId;
        await server.ReplaceAsync(CancellationToken.None);

        await server.PredecessorEnded;

        Assert.Equal((false, false, true), (Exists(first), Exists(second), Exists(server.ProcessId)));
        Assert.Equal(["exit code 0", "exit code 0"], server.TakePredecessors().Select(exit => exit.AsAsked));
        Assert.Equal(3, server.Starts);
    }

    [Fact]
    public async Task A_replacement_that_is_cut_leaves_the_first_to_be_stopped()
    {
        var server = await TestServers.StartAsync(NullEcho.ChildCommand, Options);
        var first = server.ProcessId;

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => server.ReplaceAsync(new CancellationToken(canceled: true)));
        await server.DisposeAsync();

        Assert.False(Exists(first));
    }

    [FactNeeds(Needed.Linux)]
    public async Task A_child_ends_by_SIGTERM_while_its_input_is_open()
    {
        using var process = ChildProcess.Start(NullEcho.ChildCommand, new Uri("http://127.0.0.1:0"), Options);
        await process.Listening;

        process.Terminate();

        Assert.Equal((0, false), ((await process.Exited).ExitCode, (await process.Exited).Killed));
    }

    [Fact]
    public async Task A_child_that_ends_by_itself_is_noticed_and_not_replaced_as_if_it_had_run()
    {
        await using var server = await TestServers.StartAsync(NullEcho.ChildCommand, Options);
        using var process = Process.GetProcessById(server.ProcessId);

        process.Kill();

        Assert.False((await server.Exited).Killed); // Not by us, so it is a finding.
        await Assert.ThrowsAsync<ChildException>(server.KillRunningAsync);
        var failure = await Assert.ThrowsAsync<ChildException>(() => server.ReplaceAsync(CancellationToken.None));
        Assert.StartsWith(
            "The null-echo server ended unexpectedly with exit code ", failure.Message, StringComparison.Ordinal);
    }

    [FactNeeds(Needed.Linux)]
    public Task A_child_ends_when_the_process_that_holds_its_input_is_killed() => EndsWithTheHolderOfItsInputAsync(NullEcho.ChildCommand);

    [FactNeeds(Needed.Linux)]
    public Task A_fault_proxy_ends_when_the_process_that_holds_its_input_is_killed() =>
        EndsWithTheHolderOfItsInputAsync(FaultProxy.CommandFor(new Uri("http://127.0.0.1:9"), connections: 1));

    [TheoryNeeds(Needed.Linux)]
    [InlineData("-TERM")]
    [InlineData("-KILL")]
    public async Task It_ends_with_its_owner_after_a_signal_to_the_shells_above_it(string signal)
    {
        var time = new FakeTime();
        var folder = Directory.CreateTempSubdirectory("session-").FullName;
        var session = await SessionProcess.StartAsync("sleep", folder, ["sleep", "600"], time, CancellationToken.None);
        using (var kill = Process.Start("kill", [signal, .. ShellsAbove(session.Id)]))
            await kill.WaitForExitAsync();

        await session.DisposeAsync().AsTask().WhileAsync(() => time.Advance(TimeSpan.FromSeconds(1)));

        await Waiting.UntilAsync(() => Stat(session.Id) is null or ["Z", ..]);
        Assert.False(Directory.Exists(folder));
    }

    // One waits for the program, and one below it for the end of the input.
    private static IEnumerable<string> ShellsAbove(int program)
    {
        var shell = Stat(program)![1];
        return
        [
            shell,
            .. from folder in Directory.EnumerateDirectories("/proc")
               where int.TryParse(Path.GetFileName(folder), out var id) && id != program && Stat(id)?[1] == shell
               select Path.GetFileName(folder),
        ];
    }

    // The state of a process, its parent, and so on; null: it is gone.
    private static string[]? Stat(int process)
    {
        var file = string.Create(CultureInfo.InvariantCulture, $"/proc/{process}/stat");
        try
        {
            var stat = File.ReadAllText(file);
            return stat[(stat.LastIndexOf(')') + 2)..].Split(' ');
        }
        catch (IOException)
        {
            return null;
        }
    }

    private static async Task EndsWithTheHolderOfItsInputAsync(ChildCommand command)
    {
        var fifo = Path.Combine(Directory.CreateTempSubdirectory().FullName, "input");
        var started =
            $"'{DotnetHost.Path}' exec '{command.Assembly}' {string.Join(' ', command.Arguments)} --urls http://127.0.0.1:0 --child";
        var line = $"mkfifo '{fifo}'; sleep 600 > '{fifo}' & echo $!; exec {started} < '{fifo}'";
        using var child = Process.Start(new ProcessStartInfo("sh", ["-c", line]) { RedirectStandardOutput = true })!;
        using var holder = Process.GetProcessById(int.Parse((await child.StandardOutput.ReadLineAsync())!, CultureInfo.InvariantCulture));
        while (!ListeningLine.TryParse((await child.StandardOutput.ReadLineAsync())!, out _))
        {
        }

        holder.Kill(); // As a runner that dies by SIGKILL: it cannot say good-bye.

        await child.WaitForExitAsync();
        Assert.Equal(0, child.ExitCode);
    }

    [Fact]
    public async Task A_program_that_is_missing_is_named()
    {
        var missing = NullEcho.ChildCommand with { Assembly = "/nowhere/at-all.dll" };

        var failure = await Assert.ThrowsAsync<ChildException>(() => TestServers.StartAsync(missing, Options));

        Assert.Contains("/nowhere/at-all.dll", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_child_that_cannot_have_its_port_back_is_reported_with_its_last_lines()
    {
        await using var server = await TestServers.StartAsync(NullEcho.ChildCommand, Options);
        await server.StopAsync();
        using var squatter = new TcpListener(IPAddress.Loopback, server.Address.Port);
        squatter.Start();

        var failure = await Assert.ThrowsAsync<ChildException>(() => server.RestartAsync(CancellationToken.None));

        Assert.Equal(ChildException.Unreachable, failure.ExitCode);
        Assert.Contains("in use", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_child_that_refuses_its_settings_is_reported_in_its_own_words()
    {
        var failure = await Assert.ThrowsAsync<ChildException>(
            () => TestServers.StartAsync(DirectTarget.Program.Command("--Relay:NoSuchSetting", "1"), Options));

        Assert.Equal(5, failure.ExitCode);
        Assert.StartsWith(
            "The direct server cannot start with its settings: There is no setting Relay:NoSuchSetting: ", failure.Message,
            StringComparison.Ordinal);
    }

    [FactNeeds(Needed.Linux)]
    public async Task A_child_that_is_never_ready_is_stopped()
    {
        var (command, mark) = NeverReady();
        var options = Options with { StartTimeout = TimeSpan.FromSeconds(2) };

        var failure = await Assert.ThrowsAsync<ChildException>(() => TestServers.StartAsync(command, options));

        Assert.Contains("within 2 s", failure.Message, StringComparison.Ordinal);
        Assert.Equal(0, RunningWith(mark));
    }

    [FactNeeds(Needed.Linux)]
    public async Task A_start_that_is_cancelled_leaves_no_process()
    {
        using var cancellation = new CancellationTokenSource();
        var (command, mark) = NeverReady();
        var starting = ChildServer.StartAsync(command, Options, cancellation.Token);
        Assert.Equal(1, RunningWith(mark));

        await cancellation.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => starting);
        Assert.Equal(0, RunningWith(mark));
    }

    [FactNeeds(Needed.Pinning)]
    public async Task A_pinned_child_runs_on_its_core_with_all_threads()
    {
        var plan = PinningPlan.ForThisMachine(wanted: true);
        await using var server = await TestServers.StartAsync(NullEcho.ChildCommand, Options with { Core = plan.ServerCore });

        Assert.Equal([$"{plan.ServerCore}"], ThreadMasks.Read(server.ProcessId));
    }

    private static (ChildCommand Command, string Mark) NeverReady()
    {
        var mark = Guid.NewGuid().ToString();
        return (NullEcho.ChildCommand with
        { HealthPath = "/no/such/path", Environment = new Dictionary<string, string> { ["MARK"] = mark } }, mark);
    }

    // By a variable that only it has.
    private static int RunningWith(string mark) =>
        RunningProcesses.Read("environ").Count(variables => variables.Contains(mark, StringComparison.Ordinal));

    private static bool Exists(int processId)
    {
        try
        {
            using var process = Process.GetProcessById(processId);
            return !process.HasExited;
        }
        catch (ArgumentException)
        {
            return false;
        }
    }
}
