using System.Diagnostics;
using System.Text.Json;
using PubSubOverWs.LoadTest.Experiments.RequestReply;
using PubSubOverWs.LoadTest.Experiments.RequestReply.Load;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workers;
using PubSubOverWs.LoadTest.Harness.Workloads;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Latency;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Tests.LoadTest.Harness.Workers;

namespace PubSubOverWs.Tests.LoadTest.Experiments.RequestReply.Load;

/// <summary>What load processes say of their clients, merged, beside one process that had all of them.</summary>
public sealed class RequestReplySeenTests
{
    private const long Origin = 1_000_000_000;

    private static readonly RequestReplyPlan Plan = new(
        "t-1", Users: 40, Providers: 5, Rate: 1_000, Requests: 5_000, Settling: 300, RequestBytes: 32, ReplyBytes: 256,
        TimeSpan.FromMilliseconds(40), Seed: 3);

    private static readonly IReadOnlyList<Flow> Flows = new RequestReplyScenario { Name = "t" }.Flows;

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(40)]
    public void The_shares_of_processes_merge_to_exactly_what_one_process_has_seen(int processes)
    {
        var log = new RequestLog(Plan.Requests, Origin);
        Mark(log, _ => true, _ => true);
        var whole = new RequestReplySeen(Plan, log);
        whole.Add(CountsOf(LoadShare.Whole));
        var merged = new RequestReplySeen(Plan, new RequestLog(Plan.Requests, Origin));
        // In any order.
        foreach (var index in Enumerable.Range(0, processes).Reverse())
        {
            var account = Sent(AccountOf(new LoadShare(index, processes)));
            account = account with { Origin = account.Origin + FarClocks.Ahead(index) };
            merged.Merge(account, new LoadShare(index, processes), FarClocks.Of(index));
        }

        var (expected, found) = (Observe(whole), Observe(merged));

        for (var flow = 0; flow < Flows.Count; flow++)
        {
            var one = expected.Counted[flow];
            Assert.InRange(one.Latencies.Count, 3_000, 4_700);
            Assert.Equal(HistogramCode.Encode(one.Latencies), HistogramCode.Encode(found.Counted[flow].Latencies));
            Assert.Equal(one.Row(expected.AnomaliesByFlow[flow]), found.Counted[flow].Row(found.AnomaliesByFlow[flow]));
        }

        var buckets = expected.Counted[0].Row(default).Buckets;
        Assert.True(buckets is { Late: > 0, Refused: > 0, LostUnacknowledged: > 0 });
        Assert.Equal(expected.Measures, found.Measures);
        Assert.Equal(expected.Failures, found.Failures);
    }

    [Theory]
    [InlineData(3)]
    [InlineData(64)]
    public void Each_request_is_sent_by_one_process_so_that_all_send_at_the_rate_of_the_plan(int processes)
    {
        LoadShare[] shares = [.. Enumerable.Range(0, processes).Select(index => new LoadShare(index, processes))];

        Assert.All(Enumerable.Range(0, Plan.Requests), request => Assert.Single(shares, share => share.Has(Plan.UserOf(request))));
        Assert.Equal(
            Plan.MaxUnansweredAt(Plan.Settling, LoadShare.Whole),
            shares.Where(share => share.CountIn(Plan.Users) > 0).Sum(share => Plan.MaxUnansweredAt(Plan.Settling, share)));
    }

    [Fact]
    public void What_no_client_of_a_share_can_have_seen_is_refused()
    {
        var share = new LoadShare(1, 2);
        var account = AccountOf(share);
        var (of, other) = (Requests(share).First(), Requests(new LoadShare(0, 2)).First());

        Refused("it is about 5 requests, and the iteration has 5000", account with { Requests = 5 });
        Refused("it is cut", account with { Stamps = account.Stamps[..^1] });
        Refused("it is cut", account with { Stamps = [] });
        Refused("1 bytes are left over", account with { Stamps = [.. account.Stamps, 0] });
        Refused($"'Sent' of request {of} is known already", account with { Stamps = StampsOf((of, 5), (of, 5)) });
        Refused($"its clients cannot have seen 'Sent' of request {other} at 5 us", account with { Stamps = StampsOf((other, 5)) });
        Refused("'Sent' of request 5000 at 5 us", account with { Stamps = StampsOf((5_000, 5)) });
        Refused("'Sent' of request -1 at 5 us", account with { Stamps = StampsOf((-1, 5)) });
        Refused($"'Sent' of request {of} at 0 us", account with { Stamps = StampsOf((of, 0)) });
        Refused("it has no client 2", account with { Counts = account.Counts with { Users = [new(2, Cause.SendError, "")] } });
        Refused("it has no client 5", account with { Counts = account.Counts with { Providers = [new(5, Cause.SendError, "")] } });

        void Refused(string why, RequestReplyAccount refused) => Assert.Contains(
            why, Assert.Throws<InvalidDataException>(() => NewSeen().Merge(refused, share, WorkerClock.Same)).Message,
            StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(99, false)]
    [InlineData(100, true)]
    public void Of_a_step_that_was_given_up_at_once_there_is_no_share_of_a_core(int milliseconds, bool isSaid)
    {
        var steady = new SteadyTime(new ServerGroup([]), []);
        steady.Begin(Origin);
        steady.End(Origin + (Stopwatch.Frequency * milliseconds / 1000));

        var measures = NewSeen().Observe(Flows, steady, Origin, Origin).Measures;

        Assert.Equal(isSaid, measures[RequestReplyScenario.LoadBusy.Name] is not null);
    }

    private static RequestReplySeen NewSeen() => new(Plan, new RequestLog(Plan.Requests, Origin));

    private static IEnumerable<int> Requests(LoadShare share) =>
        Enumerable.Range(0, Plan.Requests).Where(request => share.Has(Plan.UserOf(request)));

    // The moment Sent of these requests, and nothing of the others.
    private static byte[] StampsOf(params (int Request, int Stamp)[] sent) =>
        [.. new[] { sent.Length }.Concat(sent.SelectMany(one => new[] { one.Request, one.Stamp })).Concat([0, 0, 0])
            .SelectMany(BitConverter.GetBytes)];

    private static Observed Observe(RequestReplySeen seen) => seen.Observe(
        Flows, new SteadyTime(new ServerGroup([]), []), Origin - Stopwatch.Frequency, Origin + (Stopwatch.Frequency / 100));

    // As it comes from another process.
    private static RequestReplyAccount Sent(RequestReplyAccount account) => JsonSerializer.Deserialize<RequestReplyAccount>(
        JsonSerializer.Serialize(account, WorkerOrders.Json), WorkerOrders.Json)!;

    private static RequestReplyAccount AccountOf(LoadShare share)
    {
        var log = new RequestLog(Plan.Requests, Origin);
        Mark(log, share.Has, share.Has);
        return new RequestReplyAccount(Plan.Requests, log.Origin, log.Write(), CountsOf(share));
    }

    // Every user but the first has a failure now and then, and so has the last provider.
    private static ClientCounts CountsOf(LoadShare share) => new(
        share.In(Plan.Providers).Aggregate(default(Anomalies), (sum, client) => sum.Add(new Anomalies(client, 0, 1, 2))),
        share.In(Plan.Users).Aggregate(default(Anomalies), (sum, client) => sum.Add(new Anomalies(0, 0, client, 1))),
        [.. share.In(Plan.Users).Where(user => user % 7 == 6).Select(user => new ClientFailure(user, Cause.ServerClosed, "gone"))],
        [.. share.In(Plan.Providers).Where(one => one == 4).Select(one => new ClientFailure(one, Cause.ConnectRefused, "no"))],
        share.In(Plan.Users).Sum());

    // Latencies from 1 us to more than the deadline; some requests are not sent, some do not come, some replies do not.
    private static void Mark(RequestLog log, Func<int, bool> hasUser, Func<int, bool> hasProvider)
    {
        for (var request = 0; request < Plan.Requests; request++)
        {
            var drawn = SplitMix64.At(11, (ulong)request);
            var sent = Stopwatch.Frequency / 100 + (long)((Plan.DueAt(request).TotalSeconds + (drawn % 97 * 1e-6)) * Stopwatch.Frequency);
            var (there, back) = ((long)(drawn >> 8) % 23_000, (long)(drawn >> 24) % 23_000);
            if (drawn % 50 == 0)
                continue;
            MarkAt(Moment.Sent, hasUser(Plan.UserOf(request)), sent);
            if (drawn % 50 == 1)
                continue;
            MarkAt(Moment.Arrived, hasProvider(Plan.ProviderOf(request)), sent + Us(there));
            MarkAt(Moment.Replied, hasProvider(Plan.ProviderOf(request)), sent + Us(there + 3));
            if (drawn % 50 > 2)
                MarkAt(Moment.Returned, hasUser(Plan.UserOf(request)), sent + Us(there + back + 3));

            void MarkAt(Moment moment, bool isHere, long stamp)
            {
                if (isHere)
                    Assert.True(log.TryMark(moment, request, Origin + stamp));
            }
        }
    }

    private static long Us(long microseconds) => microseconds * Stopwatch.Frequency / 1_000_000;
}
