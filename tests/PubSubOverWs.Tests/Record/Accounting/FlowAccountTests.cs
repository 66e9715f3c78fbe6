using FsCheck;
using FsCheck.Fluent;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Latency;
using PubSubOverWs.Record.Scenarios;

namespace PubSubOverWs.Tests.Record.Accounting;

/// <summary>A workload that counts for itself comes to what the accounting makes of its observations.</summary>
public sealed class FlowAccountTests
{
    private static readonly TimeSpan Deadline = TimeSpan.FromSeconds(1);

    private static readonly Flow[] Flows =
        [new("request", "client", "server", LatencyFrom.Due), new("reply", "server", "client", LatencyFrom.Sent, Judged: false)];

    private static readonly Observation Missed = new(
        "m", 1, 1, TimeSpan.Zero, TimeSpan.FromMilliseconds(30), null, Taken: true, Received: null, Cause.Shed);

    [Fact]
    public void Counted_one_by_one_or_from_observations_everything_is_the_same() => Prop.ForAll(
        Observations().ToArbitrary(), Remains().ToArbitrary(), AreTheSame).Check(Config.QuickThrowOnFailure.WithMaxTest(300));

    [Fact]
    public void Attempts_that_are_alike_are_counted_at_once()
    {
        var (one, many) = (new FlowAccount(Flows[0], Deadline), new FlowAccount(Flows[0], Deadline));
        Observation[] seen =
            [Missed, Missed with { Received = TimeSpan.FromMilliseconds(50), Failure = Cause.None }, Missed with { Sent = null }];
        foreach (var observation in seen)
        {
            one.Add(observation, times: 50);
            for (var i = 0; i < 50; i++)
                many.Add(observation);
        }

        Assert.Equal(many.Row(default), one.Row(default));
        Assert.Equal(50, one.Latencies.Count);
    }

    [Fact]
    public void A_message_that_came_before_it_was_sent_shows_that_the_clock_went_back()
    {
        var account = new FlowAccount(Flows[0], Deadline);
        account.Add(Missed);
        Assert.True(account.ClockMonotonic);
        account.Add(Missed with { Received = TimeSpan.FromMilliseconds(29) });
        Assert.False(account.ClockMonotonic);
    }

    private static void AreTheSame(Observation[] seen, QueueRemains remains)
    {
        FlowAccount[] counted = [.. Flows.Select(flow => new FlowAccount(flow, Deadline))];
        foreach (var observation in seen)
            counted[observation.Flow].Add(observation);
        FlowAccount.Assign(remains, counted);

        var attempts = Accountant.Classify(seen, Deadline, remains);
        var summed = FlowAccount.From(Flows, Deadline, seen, attempts);
        var histograms = LatencyLog.Count(attempts, Flows);
        for (var i = 0; i < Flows.Length; i++)
        {
            var (row, own) = (counted[i].Row(new Anomalies(1, 2, 3, 4)), attempts.Where(attempt => attempt.Flow == i).ToArray());
            Assert.Equal(Accountant.Sum(own, seen.Count(one => one.Flow == i && one.Taken)), row.Buckets);
            Assert.Equal(own.Count(one => one.Cause == Cause.None), row.FromDue.Count);
            Assert.Equal(Latencies.LateSends(own), row.LateSends);
            Assert.Equal(Distribution.From(histograms[i]), Distribution.From(counted[i].Latencies));
            Assert.Equal(row, summed[i].Row(new Anomalies(1, 2, 3, 4)));
            Assert.Equal(summed[i].ClockMonotonic, counted[i].ClockMonotonic);
        }
    }

    private static Gen<Observation[]> Observations() => One().ArrayOf();

    private static Gen<QueueRemains> Remains() =>
        from still in Gen.Choose(0, 5) from dead in Gen.Choose(0, 5) select new QueueRemains(still, dead);

    private static Gen<Observation> One() =>
        from flow in Gen.Choose(0, 1)
        from due in Times(1000)
        from lag in Times(40)
        from took in Times(1200)
        from isSent in Gen.Frequency((5, Gen.Constant(true)), (1, Gen.Constant(false)))
        from came in Gen.Frequency((3, Gen.Constant(true)), (1, Gen.Constant(false)))
        from taken in Gen.Elements(true, false)
        from failure in Gen.Elements(Enum.GetValues<Cause>())
        select new Observation(
            "m", 1, 1, due, isSent ? due + lag : null, taken ? due + lag : null, taken, came ? due + took : null, failure)
        { Flow = flow };

    private static Gen<TimeSpan> Times(int mostMs) => Gen.Choose(0, mostMs * 10_000).Select(ticks => TimeSpan.FromTicks(ticks));
}
