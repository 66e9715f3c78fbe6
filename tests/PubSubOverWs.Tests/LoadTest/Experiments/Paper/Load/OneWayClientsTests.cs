using System.Diagnostics;
using System.Text.Json;
using PubSubOverWs.LoadTest.Experiments.Paper.Load;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workers;
using PubSubOverWs.LoadTest.Harness.Workloads;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Tests.LoadTest.Harness.Workers;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Paper.Load;

public sealed class OneWayClientsTests : IAsyncLifetime
{
    private static readonly IterationPlan Plan = new()
    {
        Run = "run",
        Iteration = 4,
        Users = 11,
        Messages = 3,
        Receipts = true,
        Arrival = new Arrival(TimeSpan.FromSeconds(1)),
    };

    private ClientTarget _target = null!;

    public async Task InitializeAsync() => _target = await ResolveAsync(5001);

    public Task DisposeAsync() => Task.CompletedTask;

    [Theory]
    [InlineData(1, false)]
    [InlineData(2, false)]
    [InlineData(3, false)]
    [InlineData(11, false)]
    [InlineData(3, true)]
    public void What_users_saw_is_the_same_whatever_processes_they_were_in(int processes, bool arePairs)
    {
        var plan = arePairs ? Plan with { Pairs = new PairsPlan { Seed = 3 } } : Plan;
        var whole = Saw(plan, LoadShare.Whole);
        var expected = OneWaySeen.Observe(plan, [.. whole.Users.Select(user => (user.Log, user.Returns))], start: 0, firstDue: 1_000);

        var merged = new (ClientLog Log, Returns Returns)?[plan.Users];
        for (var i = 0; i < processes; i++)
            Far(AccountOf(plan, new LoadShare(i, processes)), i).AddTo(merged, new LoadShare(i, processes), plan, FarClocks.Of(i));
        var seen = OneWaySeen.Observe(plan, [.. merged.Select(one => one!.Value)], start: 0, firstDue: 1_000);

        Assert.Equal(expected.Observations, seen.Observations);
        Assert.Equal(expected.Anomalies, seen.Anomalies);
        Assert.Equal((expected.Acknowledged, expected.Republished), (seen.Acknowledged, seen.Republished));
        Assert.Equal(expected.Failures, seen.Failures);
        Assert.NotEmpty(expected.Failures);
        Assert.True(expected.Anomalies.Duplicates > 0 && expected.Anomalies.Corrupted > 0 && expected.Acknowledged > 0);
    }

    private static OneWayAccount Far(OneWayAccount account, int process)
    {
        var clock = FarClocks.To(process);
        return new OneWayAccount(
        [
            .. account.Users.Select(user => user with
            {
                Messages = [.. user.Messages.Select(one => one.By(clock))],
                Arrived = [.. user.Arrived.Select(one => one with { Stamp = clock.Here(one.Stamp) })],
                Returns = user.Returns.By(clock),
            }),
        ]);
    }

    [Fact]
    public void The_plan_comes_to_a_process_as_it_is()
    {
        var plan = Plan with { Pairs = new PairsPlan { Seed = 3, Away = TimeSpan.FromSeconds(2), SlowShare = 0.5 } };

        Assert.Equal(plan, Sent(plan));
    }

    [Fact]
    public async Task Pairs_in_a_load_process_connect_to_the_fault_proxies()
    {
        var proxies = await Task.WhenAll(Enumerable.Range(5002, 2).Select(ResolveAsync));
        using var servers = new ServerGroup(
            [new GroupMember("t", _target, Stats: null, Process: null) { Subscribers = proxies }]);

        var member = await Assert.Single(Sent(ServerAddress.From(servers))).ResolveAsync(CancellationToken.None);

        Assert.Equal([5001], member.Publishers.Select(one => one.Address.Port));
        Assert.Equal([5002, 5003], member.Subscribers.Select(one => one.Address.Port));
    }

    [Fact]
    public void Users_of_another_share_and_messages_of_another_iteration_are_refused()
    {
        var seen = new (ClientLog Log, Returns Returns)?[Plan.Users];
        var account = AccountOf(Plan, new LoadShare(0, 2));

        Assert.Equal(
            "it is not about the users of its share",
            Assert.Throws<InvalidDataException>(() => account.AddTo(seen, new LoadShare(1, 2), Plan, WorkerClock.Same)).Message);
        Assert.Equal(
            "it has 3 messages of user 0, who sends 4",
            Assert.Throws<InvalidDataException>(
                () => account.AddTo(seen, new LoadShare(0, 2), Plan with { Messages = 4 }, WorkerClock.Same)).Message);
    }

    private static Task<ClientTarget> ResolveAsync(int port) =>
        ClientTarget.ResolveAsync(new Uri($"http://127.0.0.1:{port}"), CancellationToken.None);

    private OneWayAccount AccountOf(IterationPlan plan, LoadShare share) => Sent((OneWayAccount)Saw(plan, share).Account());

    private static T Sent<T>(T value) =>
        JsonSerializer.SerializeToElement(value, WorkerOrders.Json).Deserialize<T>(WorkerOrders.Json)!;

    // What a user sees depends on its number alone.
    private OneWayClients Saw(IterationPlan plan, LoadShare share)
    {
        var clients = new OneWayClients(
            plan, share, new ServerGroup([new GroupMember("t", _target, Stats: null, Process: null)]));
        foreach (var (user, number) in clients.Users.Zip(share.In(plan.Users)))
            See(plan, number, user.Log);
        return clients;
    }

    private static void See(IterationPlan plan, int user, ClientLog log)
    {
        var random = new Random(user);
        if (user % 5 == 4)
            log.Fail(new ConnectFailure(Cause.ServerClosed, "ERROR of " + plan.MessageId(user, 0)));
        for (var i = 0; i < plan.Messages; i++)
        {
            var own = log.Messages[i];
            own.SentAt = Stamp();
            if (random.Next(4) > 0)
                own.Answer(random.Next(5) == 0 ? "shed" : null, Stamp());
            for (var copies = random.Next(3); copies > 0; copies--)
                log.Take(own.Id, Stamp(), isIntact: random.Next(6) > 0);
        }
        log.Take(id: null, Stamp(), isIntact: false);

        long Stamp() => random.NextInt64(2 * Stopwatch.Frequency);
    }
}
