using PubSubOverWs.Record.Accounting;

namespace PubSubOverWs.Tests.Record.Accounting;

public sealed class AccountantTests
{
    private static readonly TimeSpan Deadline = TimeSpan.FromSeconds(10);

    private static readonly Observation Sent = new(
        "m", 1, 1, TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(1.5), null, Taken: false, Received: null, Cause.None);

    public static TheoryData<Observation, QueueState, Outcome, Cause> Precedence => new()
    {
        { Sent with { Received = TimeSpan.FromSeconds(11) }, QueueState.Gone, Outcome.Delivered, Cause.None },
        { Sent with { Received = TimeSpan.FromSeconds(11) + TimeSpan.FromTicks(1) }, QueueState.Gone, Outcome.Late, Cause.Deadline },
        { Sent with { Received = TimeSpan.FromSeconds(0.5) }, QueueState.Gone, Outcome.Delivered, Cause.None },
        { Sent with { Received = TimeSpan.FromSeconds(2), Failure = Cause.SendError }, QueueState.StillQueued, Outcome.Delivered,
            Cause.None },
        { Sent with { Sent = null, Failure = Cause.ConnectRefused }, QueueState.Gone, Outcome.Refused, Cause.ConnectRefused },
        { Sent with { Sent = null, Failure = Cause.ServerClosed }, QueueState.Gone, Outcome.Refused, Cause.ServerClosed },
        { Sent with { Sent = null }, QueueState.Gone, Outcome.Refused, Cause.Deadline },
        { Sent with { Failure = Cause.Shed }, QueueState.DeadLettered, Outcome.Refused, Cause.Shed },
        { Sent with { Failure = Cause.NoSubscriber }, QueueState.Gone, Outcome.Refused, Cause.NoSubscriber },
        { Sent with { Taken = true, Failure = Cause.SendError }, QueueState.Gone, Outcome.LostAcknowledged, Cause.SendError },
        { Sent with { Taken = true }, QueueState.DeadLettered, Outcome.DeadLettered, Cause.Deadline },
        { Sent with { Taken = true }, QueueState.StillQueued, Outcome.StillQueued, Cause.Deadline },
        { Sent with { Taken = true }, QueueState.Gone, Outcome.LostAcknowledged, Cause.Deadline },
        { Sent with { Failure = Cause.ServerClosed }, QueueState.Gone, Outcome.LostUnacknowledged, Cause.ServerClosed },
        { Sent, QueueState.Gone, Outcome.LostUnacknowledged, Cause.Deadline },
    };

    [Theory]
    [MemberData(nameof(Precedence))]
    public void Each_attempt_ends_in_the_first_bucket_that_fits(Observation seen, QueueState queue, Outcome outcome, Cause cause)
    {
        var attempt = Accountant.Classify(seen, Deadline, queue);
        Assert.Equal((outcome, cause), (attempt.Outcome, attempt.Cause));
    }

    [Fact]
    public void Messages_left_in_the_queue_are_matched_to_missing_attempts_acknowledged_ones_first()
    {
        Observation[] seen =
        [
            Sent,
            Sent with { Taken = true },
            Sent with { Received = TimeSpan.FromSeconds(2) },
            Sent with { Taken = true },
            Sent with { Sent = null },
        ];
        var attempts = Accountant.Classify(seen, Deadline, new QueueRemains(StillQueued: 1, DeadLettered: 1));
        Assert.Equal(
            [Outcome.LostUnacknowledged, Outcome.DeadLettered, Outcome.Delivered, Outcome.StillQueued, Outcome.Refused],
            attempts.Select(attempt => attempt.Outcome));
    }

    [Fact]
    public void More_left_in_the_queue_than_is_missing_changes_no_delivery()
    {
        var attempts = Accountant.Classify([Sent, Sent with { Received = TimeSpan.FromSeconds(2) }], Deadline, new QueueRemains(5, 5));
        Assert.Equal([Outcome.DeadLettered, Outcome.Delivered], attempts.Select(attempt => attempt.Outcome));
    }

    [Fact]
    public void The_buckets_add_up_to_the_attempts_and_the_causes_to_the_losses()
    {
        var attempts = Precedence.Select(row => Accountant.Classify((Observation)row[0], Deadline, (QueueState)row[1])).ToArray();
        var sum = Accountant.Sum(attempts, acknowledged: 4);
        Assert.Equal(15, sum.Attempts);
        Assert.Equal(
            (3, 1, 5, 1, 1, 2, 2),
            (sum.Delivered, sum.Late, sum.Refused, sum.DeadLettered, sum.StillQueued, sum.LostAcknowledged, sum.LostUnacknowledged));
        Assert.Equal(12, sum.Causes.Total);
        Assert.True(sum.AddUp);
        Assert.Equal(12.0 / 15, sum.EndToEndLoss);
        Assert.Equal(2.0 / 4, sum.GuaranteeLoss);
        Assert.Equal(1.0 / 15, sum.LateRate);
    }

    [Fact]
    public void Without_receipts_the_guarantee_loss_is_undefined_and_not_zero() =>
        Assert.Null(new Buckets { Attempts = 5, Delivered = 5 }.GuaranteeLoss);

    [Fact]
    public void A_delivered_attempt_with_a_cause_does_not_add_up() =>
        Assert.Throws<InvalidOperationException>(() => Accountant.Sum([Some.Attempt(1) with { Cause = Cause.Shed }], 0));
}
