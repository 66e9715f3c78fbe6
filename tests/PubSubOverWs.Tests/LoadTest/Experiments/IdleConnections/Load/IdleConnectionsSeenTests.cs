using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Text.Json;
using PubSubOverWs.LoadTest.Experiments.IdleConnections;
using PubSubOverWs.LoadTest.Experiments.IdleConnections.Load;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workers;
using PubSubOverWs.LoadTest.Harness.Workloads;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Tests.LoadTest.Harness.Workers;

namespace PubSubOverWs.Tests.LoadTest.Experiments.IdleConnections.Load;

/// <summary>What load processes say of ten subscribers and two messages, and when a share of many has them.</summary>
public sealed class IdleConnectionsSeenTests
{
    private const long Start = 5_000_000_000;

    private static readonly IdleConnectionsPlan Plan = new(
        new TopicPlan("t-1", Publishers: 1, Messages: 2, PayloadBytes: 100, Receipts: true), Connections: 10,
        Quiet: TimeSpan.FromSeconds(2), Every: TimeSpan.FromSeconds(1), Deadline: TimeSpan.FromSeconds(3));

    private static readonly IdleConnectionsScenario Scenario = new() { Name = "t" };

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(10)]
    [InlineData(12)]
    public void The_shares_of_processes_merge_to_what_one_process_has_seen(int processes)
    {
        var seen = Merged(processes, Arrived);

        var row = Assert.Single(seen.Counted).Row(seen.Anomalies);
        // The last subscriber is cut before the second message, and that of the one before it is late.
        Assert.Equal(
            (20, 18, 1, 1),
            (row.Buckets.Attempts, row.Buckets.Delivered, row.Buckets.Late, row.Buckets.LostAcknowledged));
        Assert.Equal((1, 1), (row.Buckets.Causes.ServerClosed, row.Buckets.Causes.Deadline));
        Assert.Equal(18, seen.Counted[0].Latencies.Count);
        Assert.Equal(new Anomalies(Duplicates: 45, 0, 0, 0), seen.Anomalies);
        Assert.Equal(1, Assert.Single(seen.Failures).Value);
    }

    [Fact]
    public void Shares_of_the_subscribers_have_a_message_after_the_mean_over_the_messages()
    {
        var seen = Merged(3, Arrived);

        // 10 to 100 ms after the first was due, 20 to 160 ms after the second.
        Assert.Equal((50.0 + 100.0) / 2, seen.Measures[IdleConnectionsScenario.HalfReached.Name]!.Value, 1e-3);
        Assert.Null(seen.Measures[IdleConnectionsScenario.MostReached.Name]);
        Assert.Null(seen.Measures[IdleConnectionsScenario.AllReached.Name]);
        var all = Merged(3, (subscriber, message) => Due(message) + Ms(10 * (subscriber + 1)), failing: -1);
        Assert.Equal(100.0, all.Measures[IdleConnectionsScenario.MostReached.Name]!.Value, 1e-3);
        Assert.Equal(100.0, all.Measures[IdleConnectionsScenario.AllReached.Name]!.Value, 1e-3);
        Assert.Equal(0, Assert.Single(all.Counted).Row(default).Buckets.Lost);
    }

    [Fact]
    public void Subscribers_that_never_connected_and_messages_that_were_not_sent_are_lost()
    {
        var accounts = new[] { AccountOf(new LoadShare(0, 2), (_, _) => 0, -1), AccountOf(new LoadShare(1, 2), (_, _) => 0, -1) };
        accounts[0] = accounts[0] with
        {
            Sent = [accounts[0].Sent[0], new SentMessage(null, null, Taken: false, Refusal: null)],
            Publisher = new ClientFailure(0, Cause.SendError, "gone"),
        };
        var seen = new IdleConnectionsSeen(Plan);
        seen.Merge(accounts[0], new LoadShare(0, 2), WorkerClock.Same);
        seen.Merge(accounts[1], new LoadShare(1, 2), WorkerClock.Same);

        var observed = Observe(seen);
        var buckets = Assert.Single(observed.Counted).Row(default).Buckets;
        Assert.Equal((20, 10, 10), (buckets.Attempts, buckets.LostAcknowledged, buckets.Refused));
        Assert.Equal(20, buckets.Causes.SendError);
        Assert.Equal(1, observed.Failures["send-error(gone)"]);
    }

    [Fact]
    public void What_no_client_of_a_share_can_have_seen_is_refused()
    {
        var share = new LoadShare(1, 3);
        var account = AccountOf(share, Arrived, -1);

        Refused("it is about 5 connections, and the iteration has 10", account with { Connections = 5 });
        Refused("it has 47 bytes of 6 stamps", account with { Stamps = account.Stamps[..^1] });
        Refused("it has sent 1 messages of 0", account with { Sent = [new SentMessage(1, 2, true, null)] });
        Refused("it has no client 2", account with { Failures = [new ClientFailure(2, Cause.SendError, "")] });
        Refused("it has no client 10", account with { Failures = [new ClientFailure(10, Cause.SendError, "")] });

        void Refused(string why, IdleConnectionsAccount refused) => Assert.Contains(
            why, Assert.Throws<InvalidDataException>(() => new IdleConnectionsSeen(Plan).Merge(refused, share, WorkerClock.Same)).Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public async Task Clients_of_a_share_that_never_connected_are_in_its_account_without_stamps_and_the_first_process_publishes()
    {
        var target = await ClientTarget.ResolveAsync(new Uri("http://127.0.0.1:1"), CancellationToken.None);
        using var servers = new ServerGroup([new GroupMember("t", target, Stats: null, Process: null)]);
        foreach (var index in Enumerable.Range(0, 3))
        {
            var share = new LoadShare(index, 3);
            var clients = new IdleConnectionsClients(Plan, share, servers);
            var account = (IdleConnectionsAccount)clients.Account();

            Assert.Equal(share.CountIn(10) + (index == 0 ? 1 : 0), clients.Participants.Count);
            Assert.Equal(index == 0 ? 2 : 0, account.Sent.Count);
            Assert.Equal(share.CountIn(10), clients.Waiting.Left);
            Assert.All(account.Stamps, one => Assert.Equal(0, one));
            new IdleConnectionsSeen(Plan).Merge(Handed(account), share, WorkerClock.Same);
            foreach (var client in clients.Participants)
                client.Dispose();
        }
    }

    [Theory]
    [InlineData(1, 2)]
    [InlineData(50, 100)]
    [InlineData(99, 198)]
    [InlineData(100, 200)]
    public void A_share_is_reached_with_the_copy_that_makes_it_so(int percent, int milliseconds) =>
        Assert.Equal(TimeSpan.FromMilliseconds(milliseconds), Of(200, Enumerable.Range(1, 200)).Until(percent));

    [Theory]
    [InlineData(3, 50, 2)]
    [InlineData(3, 99, 3)]
    [InlineData(1, 50, 1)]
    [InlineData(100_000, 99, 99_000)]
    [InlineData(300_000, 100, 300_000)]
    public void Of_a_number_that_does_not_divide_the_next_subscriber_counts(int subscribers, int percent, int milliseconds) => Assert.Equal(
        TimeSpan.FromMilliseconds(milliseconds), Of(subscribers, Enumerable.Range(1, subscribers).Reverse()).Until(percent));

    [Fact]
    public void A_share_that_is_never_reached_has_no_time_however_many_messages_have_one()
    {
        var (all, most) = (Of(4, [1, 2, 3, 4]), Of(4, [10, 20, 30]));

        Assert.Null(most.Until(100));
        Assert.Equal(3, most.Reached);
        Assert.Equal((11.0, null), (Reach.Mean([all, most], 50), Reach.Mean([all, most], 100)));
        Assert.Equal(4.0, Reach.Mean([all], 100));
    }

    private static Observed Merged(int processes, Func<int, int, long> arrived, int failing = 9)
    {
        var seen = new IdleConnectionsSeen(Plan);
        // In any order.
        foreach (var index in Enumerable.Range(0, processes).Reverse())
        {
            var share = new LoadShare(index, processes);
            seen.Merge(Far(Handed(AccountOf(share, arrived, failing)), index), share, FarClocks.Of(index));
        }
        return Observe(seen);
    }

    private static IdleConnectionsAccount Far(IdleConnectionsAccount account, int process)
    {
        var clock = FarClocks.To(process);
        long[] stamps =
            [.. MemoryMarshal.Cast<byte, long>(account.Stamps).ToArray().Select(stamp => stamp == 0 ? 0 : clock.Here(stamp))];
        return account with
        {
            Stamps = MemoryMarshal.AsBytes(stamps.AsSpan()).ToArray(),
            Sent = [.. account.Sent.Select(one => one with { SentAt = clock.Here(one.SentAt), ReceiptAt = clock.Here(one.ReceiptAt) })],
        };
    }

    // As it comes from another process.
    private static IdleConnectionsAccount Handed(IdleConnectionsAccount account) => JsonSerializer.Deserialize<IdleConnectionsAccount>(
        JsonSerializer.Serialize(account, WorkerOrders.Json), WorkerOrders.Json)!;

    private static Observed Observe(IdleConnectionsSeen seen)
    {
        using var servers = new ServerGroup([]);
        return seen.Observe(Scenario.Flows[0], new ServerReadings(servers, []), Start, Start + Ms(500));
    }

    private static IdleConnectionsAccount AccountOf(LoadShare share, Func<int, int, long> arrived, int failing)
    {
        long[] stamps = [.. share.In(10).SelectMany(subscriber => Enumerable.Range(0, 2).Select(message => arrived(subscriber, message)))];
        return new(
            10, MemoryMarshal.AsBytes(stamps.AsSpan()).ToArray(),
            share.In(10).Aggregate(default(Anomalies), (sum, subscriber) => sum.Add(new Anomalies(subscriber, 0, 0, 0))),
            share.In(10).Contains(failing) ? [new ClientFailure(failing, Cause.ServerClosed, "gone")] : [],
            share.Index == 0
                ? [.. Enumerable.Range(0, 2).Select(message => new SentMessage(Due(message), Due(message) + Ms(1), Taken: true, null))]
                : [],
            Publisher: null);
    }

    // 10 ms apart, and 20 ms of the second message, which is too late for one and never comes to the last.
    private static long Arrived(int subscriber, int message) => (subscriber, message) switch
    {
        (9, 1) => 0,
        (8, 1) => Due(message) + Ms(3_001),
        _ => Due(message) + Ms(10 * (message + 1) * (subscriber + 1)),
    };

    private static long Due(int message) => Start + Ms(2_500 + (1_000 * message));

    private static long Ms(long milliseconds) => milliseconds * Stopwatch.Frequency / 1_000;

    private static Reach Of(int subscribers, IEnumerable<int> milliseconds) =>
        new(milliseconds.Select(one => TimeSpan.FromMilliseconds(one)), subscribers);
}
