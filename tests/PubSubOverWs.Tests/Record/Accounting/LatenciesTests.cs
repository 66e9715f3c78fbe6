using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Scenarios;

namespace PubSubOverWs.Tests.Record.Accounting;

public sealed class LatenciesTests
{
    private static readonly TimeSpan Deadline = TimeSpan.FromMilliseconds(100);

    [Fact]
    public void The_restricted_mean_counts_lost_messages_at_the_deadline()
    {
        Attempt[] attempts = [After(10), After(20), Lost, After(150) with { Outcome = Outcome.Late, Cause = Cause.Deadline }];
        var summary = FromDue(attempts, Deadline);
        Assert.Equal(2, summary.Count);
        Assert.Equal(15_000, summary.Mean);
        Assert.Equal(Math.Sqrt(2) * 5_000, summary.StandardDeviation!.Value, 1e-9);
        Assert.Equal((10_000 + 20_000 + 100_000 + 100_000) / 4.0, summary.RestrictedMean);
        Assert.Equal((10_000, 20_000), (summary.Min, summary.Max));
    }

    [Fact]
    public void Latency_from_the_send_leaves_the_senders_delay_out()
    {
        Attempt[] attempts = [After(10) with { Sent = TimeSpan.FromMilliseconds(4) }];
        Assert.Equal(6_000, FromSent(attempts, Deadline).Mean);
        Assert.Equal(10_000, FromDue(attempts, Deadline).Mean);
    }

    [Fact]
    public void A_negative_reading_is_kept()
    {
        var summary = FromSent([After(10) with { Sent = TimeSpan.FromMilliseconds(11) }], Deadline);
        Assert.Equal(-1_000, summary.Min);
    }

    [Theory]
    [InlineData(19, null, null, null)]
    [InlineData(20, 10_000.0, null, null)]
    [InlineData(100, 50_000.0, 90_000.0, null)]
    [InlineData(1000, 500_000.0, 900_000.0, 990_000.0)]
    public void A_percentile_stands_only_where_the_number_of_samples_carries_it(int count, double? p50, double? p90, double? p99)
    {
        var attempts = Enumerable.Range(1, count).Select(After).Reverse();
        var summary = FromDue(attempts, TimeSpan.FromSeconds(10));
        Assert.Equal((p50, p90, p99), (summary.P50, summary.P90, summary.P99));
    }

    [Fact]
    public void Nothing_delivered_leaves_every_value_but_the_restricted_mean_empty()
    {
        var summary = FromDue([Lost], Deadline);
        Assert.Equal(new LatencySummary { Count = 0, RestrictedMean = 100_000 }, summary);
        Assert.Equal(new LatencySummary { Count = 0 }, FromDue([], Deadline));
    }

    [Fact]
    public void Schedule_lag_is_how_late_the_load_itself_sent()
    {
        var attempts = Enumerable.Range(1, 200).Select(i => After(500) with { Sent = TimeSpan.FromMilliseconds(i) }).Append(Lost);
        Assert.Equal(TimeSpan.FromMilliseconds(198), LagP99(attempts));
        Assert.Null(LagP99([Lost]));
    }

    [Fact]
    public void More_than_20_ms_after_it_was_due_a_message_is_sent_late()
    {
        var attempts = Enumerable.Range(1, 30).Select(i => After(500) with { Sent = TimeSpan.FromMilliseconds(i) }).Append(Lost);
        Assert.Equal(10, Latencies.LateSends(attempts));
    }

    private static LatencySummary FromDue(IEnumerable<Attempt> attempts, TimeSpan deadline) => Row(attempts, deadline).FromDue;

    private static LatencySummary FromSent(IEnumerable<Attempt> attempts, TimeSpan deadline) => Row(attempts, deadline).FromSent;

    private static TimeSpan? LagP99(IEnumerable<Attempt> attempts) => Row(attempts, Deadline).ScheduleLagP99;

    private static FlowRow Row(IEnumerable<Attempt> attempts, TimeSpan deadline)
    {
        Attempt[] all = [.. attempts];
        return FlowAccount.From([Flow.Message(Arrival.Burst)], deadline, new Observation[all.Length], all).Single().Row(default);
    }

    private static Attempt Lost => After(0) with { Sent = null, Received = null, Outcome = Outcome.Refused, Cause = Cause.ConnectRefused };

    private static Attempt After(int milliseconds) => new(
        "m", 1, 1, TimeSpan.Zero, TimeSpan.Zero, null, TimeSpan.FromMilliseconds(milliseconds), Outcome.Delivered, Cause.None);
}
