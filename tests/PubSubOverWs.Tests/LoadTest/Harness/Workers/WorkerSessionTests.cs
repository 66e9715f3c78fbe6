using System.Text.Json;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workers;
using PubSubOverWs.LoadTest.Harness.Workloads;
using PubSubOverWs.Record.Scenarios;

namespace PubSubOverWs.Tests.LoadTest.Harness.Workers;

/// <summary>A load process, with a load that does nothing, and the share of the clients that it has.</summary>
public sealed class WorkerSessionTests
{
    private static readonly EnterOrder Order = new(
        "test", JsonSerializer.SerializeToElement(3), new LoadShare(1, 4),
        [new ServerAddress(new Uri("http://127.0.0.1:5000"), Login: null, Passcode: null)]);

    private readonly Workload _workload = new();

    public static TheoryData<int, int> Sizes => new() { { 10, 1 }, { 10, 2 }, { 10, 3 }, { 7, 7 }, { 3, 5 }, { 1_000, 64 } };

    [Fact]
    public async Task The_clients_of_a_share_enter_send_and_leave_and_then_the_next_trial_may_begin()
    {
        await using var session = Session();
        for (var trial = 0; trial < 2; trial++)
        {
            Assert.Equal(new Entered(3), await session.EnterAsync(Order, CancellationToken.None));
            var load = _workload.Loads[trial];
            Assert.Equal(("http://127.0.0.1:5000/", Order.Share), ($"{load.Servers.TargetOf(0).Address}", load.Share));
            await session.BeginAsync(new BeginOrder(0), CancellationToken.None).Patiently();
            Assert.Equal([0, 1], load.Sent);
            var waiting = session.WaitAsync(CancellationToken.None);
            Assert.False(waiting.IsCompleted);
            var left = await session.LeaveAsync(CancellationToken.None).Patiently();
            await waiting.Patiently();

            Assert.Equal("seen", left.Account.GetString());
            Assert.All(load.Clients, client => Assert.Equal("enter leave end dispose", string.Join(' ', client.Did)));
        }
    }

    [Fact]
    public async Task A_wait_ends_when_nothing_more_can_come()
    {
        await using var session = Session();
        await session.EnterAsync(Order, CancellationToken.None);
        var waiting = session.WaitAsync(CancellationToken.None);
        _workload.Loads[0].Waiting.Signal();

        await waiting.Patiently();
    }

    [Fact]
    public async Task An_order_out_of_turn_is_refused()
    {
        await using var session = Session();
        await Assert.ThrowsAsync<InvalidOperationException>(() => session.BeginAsync(new BeginOrder(0), CancellationToken.None));
        await session.EnterAsync(Order, CancellationToken.None);
        await Assert.ThrowsAsync<InvalidOperationException>(() => session.EnterAsync(Order, CancellationToken.None));
        await session.LeaveAsync(CancellationToken.None).Patiently();
        await Assert.ThrowsAsync<InvalidOperationException>(() => session.LeaveAsync(CancellationToken.None));
    }

    [Fact]
    public async Task A_process_that_is_stopped_cuts_its_clients()
    {
        var session = Session();
        await session.EnterAsync(Order, CancellationToken.None);
        await session.DisposeAsync().AsTask().Patiently();

        Assert.All(_workload.Loads[0].Clients, client => Assert.Contains("dispose", client.Did));
    }

    [Theory]
    [MemberData(nameof(Sizes))]
    public void Every_client_is_in_exactly_one_share_and_shares_differ_by_one_at_most(int clients, int processes)
    {
        LoadShare[] shares = [.. Enumerable.Range(0, processes).Select(index => new LoadShare(index, processes))];

        Assert.Equal(Enumerable.Range(0, clients), shares.SelectMany(share => share.In(clients)).Order());
        Assert.All(Enumerable.Range(0, clients), client => Assert.Single(shares, share => share.Has(client)));
        Assert.All(shares, share => Assert.Equal(share.In(clients).Count(), share.CountIn(clients)));
        Assert.InRange(shares.Max(share => share.CountIn(clients)) - shares.Min(share => share.CountIn(clients)), 0, 1);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(64)]
    public void All_processes_together_have_no_more_clients_connecting_than_one(int processes) => Assert.InRange(
        Enumerable.Range(0, processes).Sum(index => new LoadShare(index, processes).ConnectsUnderWay), 1,
        LoadBounds.DefaultConnectsUnderWay);

    private WorkerSession Session() => new(
        experiment => experiment == "test" ? _workload : throw new InvalidOperationException(experiment), new FakeTime());

    private sealed class Workload : ISharedLoad
    {
        public List<Load> Loads { get; } = [];

        public IShareOfLoad Share(JsonElement plan, LoadShare share, ServerGroup servers)
        {
            Loads.Add(new Load(plan.GetInt32(), share, servers));
            return Loads[^1];
        }

        ILoad ISharedLoad.Load(
            Scenario scenario, Trial trial, string run, ServerGroup servers, IReadOnlyList<ILoadProcess> processes, TimeProvider time) =>
            throw new NotSupportedException();
    }

    private sealed class Load(int clients, LoadShare share, ServerGroup servers) : IShareOfLoad
    {
        public LoadShare Share => share;

        public ServerGroup Servers => servers;

        public IReadOnlyList<Client> Clients { get; } = [.. Enumerable.Range(0, clients).Select(_ => new Client())];

        public List<long> Sent { get; } = [];

        public IReadOnlyList<IParticipant> Participants => Clients;

        public Countdown Waiting { get; } = new(1);

        public LoadBounds Bounds => new(TimeSpan.FromSeconds(1), 8, TimeSpan.Zero);

        public long Sends => 2;

        public TimeSpan DueAt(long send) => TimeSpan.Zero;

        public void Send(long send) => Sent.Add(send);

        public object Account() => "seen";
    }

    private sealed class Client : IParticipant
    {
        private readonly List<string> _did = [];

        // Ends once, however often it is awaited.
        public IEnumerable<string> Did => _did.Distinct();

        public bool IsIn => _did.Contains("enter");

        public Task EnterAsync(TimeProvider time)
        {
            _did.Add("enter");
            return Task.CompletedTask;
        }

        public Task StopSendingAsync() => throw new NotSupportedException();

        public void Leave() => _did.Add("leave");

        public Task EndAsync()
        {
            _did.Add("end");
            return Task.CompletedTask;
        }

        public void Abort()
        {
        }

        public void Dispose() => _did.Add("dispose");
    }
}
