using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using PubSubOverWs.LoadTest.Experiments.Paper.Load;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workloads;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Scenarios;
using Fault = PubSubOverWs.EndToEndTests.Load.FaultyServer.Fault;

namespace PubSubOverWs.EndToEndTests.Load;

public sealed class IterationTests
{
    /// <summary>Lost messages are waited for as long; a machine that does other things must still deliver the rest within it.</summary>
    private static readonly TimeSpan ShortDeadline = TimeSpan.FromSeconds(2);

    [Fact]
    public async Task The_null_echo_brings_every_message_back()
    {
        await using var echo = await TestServers.StartAsync(NullEcho.ChildCommand);

        var measured = await RunAsync(echo.Address, new IterationPlan { Run = "t", Iteration = 1, Users = 300, Echo = true });

        var buckets = Sum(measured, TimeSpan.FromSeconds(10));
        Assert.Equal((300, 300, 300), (measured.Connections, buckets.Attempts, buckets.Delivered));
        Assert.Equal(default, measured.Anomalies);
        Assert.Empty(measured.Failures);
    }

    [Fact]
    public async Task A_spread_load_sends_each_message_when_it_is_due_or_later()
    {
        await using var echo = await TestServers.StartAsync(NullEcho.ChildCommand);
        var arrival = new Arrival(TimeSpan.FromMilliseconds(200));

        var measured = await RunAsync(
            echo.Address, new IterationPlan { Run = "t", Iteration = 1, Users = 50, Echo = true, Arrival = arrival });

        Assert.All(measured.Observations, seen => Assert.True(seen.Sent >= seen.Due && seen.Received > seen.Sent));
        Assert.Equal(arrival.DueAt(49, 50), measured.Observations[49].Due - measured.Observations[0].Due);
    }

    [Fact]
    public async Task Injected_faults_are_counted_exactly()
    {
        Fault[] faults = [Fault.Lose, Fault.Duplicate, Fault.Corrupt, Fault.Foreign, Fault.Close];
        await using var server = await FaultyServer.StartAsync(user => user % 10 < faults.Length ? faults[user % 10] : Fault.None);

        var measured = await RunAsync(server.Address, Plan(users: 100));

        var buckets = Sum(measured, ShortDeadline);
        Assert.Equal(100, buckets.Attempts);
        Assert.Equal(70, buckets.Delivered);
        Assert.Equal(30, buckets.LostUnacknowledged);
        Assert.Equal(10, buckets.Causes.ServerClosed);
        Assert.Equal(20, buckets.Causes.Deadline);
        Assert.Equal(new Anomalies(Duplicates: 10, Reorderings: 0, Unexpected: 10, Corrupted: 10), measured.Anomalies);
        Assert.Equal(10, measured.Failures["server-closed(ERROR shutting down)"]);
    }

    [Fact]
    public async Task Users_that_cannot_connect_stay_in_the_denominator_with_their_cause()
    {
        await using var server = await FaultyServer.StartAsync(
            connection => connection % 10 == 0 ? Fault.Refuse : connection % 10 == 1 ? Fault.LogInError : Fault.None);

        var measured = await RunAsync(server.Address, Plan(users: 50));

        var buckets = Sum(measured, ShortDeadline);
        Assert.Equal((50, 10, 40), (buckets.Attempts, buckets.Refused, measured.Connections));
        Assert.Equal(10, buckets.Causes.HandshakeRejected);
        Assert.Equal(5, measured.Failures["handshake-rejected(503)"]);
        Assert.Equal(5, measured.Failures["handshake-rejected(ERROR no room)"]);
    }

    [Fact]
    public async Task A_message_after_the_deadline_is_late_and_not_lost()
    {
        await using var server = await FaultyServer.StartAsync(user => user == 3 ? Fault.Late : Fault.None);
        var running = RunAsync(server.Address, Plan(users: 5) with { Deadline = TimeSpan.FromTicks(1), Grace = TimeSpan.FromSeconds(30) });

        await server.HoldsBack.Task;
        server.LetGo.SetResult();

        // How long it is held back is the machine's to say: half of that is a deadline which it missed.
        var observations = (await running).Observations;
        var deadline = (observations[3].Received - observations[3].Due)!.Value / 2;
        var attempts = Accountant.Classify(observations, deadline, default);
        Assert.Equal(Outcome.Late, attempts[3].Outcome);
        Assert.All(attempts, attempt => Assert.NotNull(attempt.Received));
    }

    [Fact]
    public async Task A_server_that_is_not_running_refuses_every_user()
    {
        var measured = await RunAsync(new Uri("http://127.0.0.1:1"), Plan(users: 5));

        Assert.Equal(5, Sum(measured, ShortDeadline).Causes.ConnectRefused);
        Assert.Equal(5, measured.Failures["connect-refused(ConnectionRefused)"]);
    }

    [Fact]
    public async Task A_server_that_never_answers_is_a_time_out()
    {
        using var silent = new TcpListener(IPAddress.Loopback, 0);
        silent.Start();
        var address = new Uri($"http://{silent.LocalEndpoint}");

        var measured = await RunAsync(address, Plan(users: 5) with { ConnectTimeout = TimeSpan.FromMilliseconds(200) });

        Assert.Equal(5, Sum(measured, ShortDeadline).Causes.ConnectTimeout);
        Assert.Equal(5, measured.Failures["connect-timeout(no answer to upgrade)"]);
    }

    [Fact]
    public async Task A_cancelled_iteration_ends_at_once_and_leaves_no_connection()
    {
        await using var server = await FaultyServer.StartAsync(_ => Fault.Lose);
        using var cancellation = new CancellationTokenSource();
        var running = RunAsync(server.Address, Plan(users: 200) with { Deadline = TimeSpan.FromMinutes(1) }, cancellation.Token);
        await Waiting.UntilAsync(() => server.OpenConnections == 200);

        var start = Stopwatch.GetTimestamp();
        await cancellation.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running);
        Assert.True(Stopwatch.GetElapsedTime(start) < TimeSpan.FromSeconds(5)); // The deadline is a minute away.
        await Waiting.UntilAsync(() => server.OpenConnections == 0);
    }

    private static IterationPlan Plan(int users) =>
        new() { Run = "t", Iteration = 1, Users = users, Deadline = ShortDeadline, Grace = TimeSpan.FromMilliseconds(100) };

    private static async Task<IterationMeasurement> RunAsync(Uri address, IterationPlan plan, CancellationToken cancellationToken = default)
    {
        var target = await ClientTarget.ResolveAsync(address, cancellationToken);
        var server = new RunningTarget(
            Arm.Floor, new ServerGroup([new GroupMember("t", target, Stats: null, Process: null)]));
        return await Iteration.RunAsync(new OneWayLoad(plan, server.Servers), server, TimeProvider.System, cancellationToken);
    }

    private static Buckets Sum(IterationMeasurement measured, TimeSpan deadline) =>
        Accountant.Sum(Accountant.Classify(measured.Observations, deadline, measured.Drain.Remains), measured.Acknowledged);
}
