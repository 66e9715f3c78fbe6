using FsCheck;
using FsCheck.Fluent;
using PubSubOverWs.Record.Accounting;
using Outcome = PubSubOverWs.Record.Accounting.Outcome;

namespace PubSubOverWs.Tests.Record.Accounting;

public sealed class AccountantTests
{
    private static readonly TimeSpan Deadline = TimeSpan.FromSeconds(10);

    private static readonly Observation Sent = new(
        "m", 1, 1, TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(1.5), null, Taken: false, Received: null, Cause.None);

    private static readonly QueueRemains Left = new(StillQueued: 1, DeadLettered: 0);
    private static readonly QueueRemains Dead = new(StillQueued: 0, DeadLettered: 1);

    public static TheoryData<Observation, QueueRemains, Outcome, Cause> Precedence => new()
    {
        { Sent with { Received = TimeSpan.FromSeconds(11) }, default, Outcome.Delivered, Cause.None },
        { Sent with { Received = TimeSpan.FromSeconds(11) + TimeSpan.FromTicks(1) }, default, Outcome.Late, Cause.Deadline },
        { Sent with { Received = TimeSpan.FromSeconds(0.5) }, default, Outcome.Delivered, Cause.None },
        { Sent with { Received = TimeSpan.FromSeconds(2), Failure = Cause.SendError }, Left, Outcome.Delivered,
            Cause.None },
        { Sent with { Sent = null, Failure = Cause.ConnectRefused }, default, Outcome.Refused, Cause.ConnectRefused },
        { Sent with { Sent = null, Failure = Cause.ServerClosed }, default, Outcome.Refused, Cause.ServerClosed },
        { Sent with { Sent = null }, default, Outcome.Refused, Cause.Deadline },
        { Sent with { Failure = Cause.Shed }, Dead, Outcome.Refused, Cause.Shed },
        { Sent with { Failure = Cause.NoSubscriber }, default, Outcome.Refused, Cause.NoSubscriber },
        { Sent with { Taken = true, Failure = Cause.SendError }, default, Outcome.LostAcknowledged, Cause.SendError },
        { Sent with { Taken = true }, Dead, Outcome.DeadLettered, Cause.Deadline },
        { Sent with { Taken = true }, Left, Outcome.StillQueued, Cause.Deadline },
        { Sent with { Taken = true }, default, Outcome.LostAcknowledged, Cause.Deadline },
        { Sent with { Failure = Cause.ServerClosed }, default, Outcome.LostUnacknowledged, Cause.ServerClosed },
        { Sent, default, Outcome.LostUnacknowledged, Cause.Deadline },
    };

    [Theory]
    [MemberData(nameof(Precedence))]
    public void Each_attempt_ends_in_the_first_bucket_that_fits(Observation seen, QueueRemains remains, Outcome outcome, Cause cause)
    {
        var attempt = Assert.Single(Accountant.Classify([seen], Deadline, remains));
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
        var attempts = Precedence.SelectMany(row => Accountant.Classify([(Observation)row[0]], Deadline, (QueueRemains)row[1])).ToArray();
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

public sealed class DetectorTests
{
    [Fact]
    public void A_corrupted_copy_does_not_hide_the_intact_one_that_follows()
    {
        var detector = new Detector([new Intention("m", 1, 1, 1, TimeSpan.Zero)]);
        Assert.False(detector.Received("m", 1, TimeSpan.FromSeconds(1), intact: false));
        Assert.True(detector.Received("m", 1, TimeSpan.FromSeconds(2), intact: true));
        Assert.Equal(TimeSpan.FromSeconds(2), detector.Observe()[0].Received);
        Assert.Equal(new Anomalies(0, 0, 0, 1), detector.Anomalies);
    }

    [Fact]
    public void The_first_cause_stays()
    {
        var detector = new Detector([new Intention("m", 1, 1, 1, TimeSpan.Zero)]);
        detector.Failed(0, Cause.ConnectTimeout);
        detector.Failed(0, Cause.ServerClosed);
        Assert.Equal(Cause.ConnectTimeout, detector.Observe()[0].Failure);
    }

    [Fact]
    public void A_message_without_a_readable_id_is_unexpected()
    {
        var detector = new Detector([]);
        detector.Received(null, 1, TimeSpan.Zero, intact: true);
        Assert.Equal(1, detector.Anomalies.Unexpected);
    }
}

/// <summary>The detector is itself tested: what is injected at random places is counted exactly, and nothing else.</summary>
public sealed class DetectorPropertyTests
{
    private static readonly Config Thousand = Config.QuickThrowOnFailure.WithMaxTest(1_000);

    [Fact]
    public void Every_injected_fault_is_counted_exactly() => Check.One(Thousand, Prop.ForAll(Loads().ToArbitrary(), load =>
    {
        var detector = new InjectedLoad(load.Stories, load.Strays, new Random(load.Seed)).Play();

        var attempts = Accountant.Classify(detector.Observe(), InjectedLoad.Deadline, load.Remains);
        var sum = Accountant.Sum(attempts, detector.Acknowledged);

        Assert.Equal(InjectedCounts.Buckets(load.Stories, load.Remains), sum);
        Assert.Equal(InjectedCounts.Anomalies(load.Stories, load.Strays), detector.Anomalies);
    }));

    private static Gen<Load> Loads() =>
        from stories in Story.Any().ArrayOf()
        from strays in Gen.Choose(0, 4)
        from still in Gen.Choose(0, 3)
        from dead in Gen.Choose(0, 3)
        from seed in Gen.Choose(0, int.MaxValue)
        select new Load(stories, strays, new QueueRemains(still, dead), seed);

    private sealed record Load(Story[] Stories, int Strays, QueueRemains Remains, int Seed)
    {
        // What FsCheck shows of a load that was counted wrongly.
        public override string ToString() => $"seed {Seed}, {Strays} strays, {Remains}:\n{string.Join('\n', Stories.AsEnumerable())}";
    }
}

/// <summary>The intended outcome of one attempt.</summary>
public enum Fate
{
    Delivered,

    /// <summary>It comes, a tick or more after the deadline.</summary>
    Late,

    /// <summary>It never comes intact, though a receipt said that it was taken.</summary>
    LostThoughTaken,

    /// <summary>It never comes intact, and no receipt came.</summary>
    LostUnanswered,

    /// <summary>A receipt said that it was not taken.</summary>
    TurnedAway,

    NeverSent,
}

/// <summary>One intention and all that is injected into it.</summary>
/// <param name="Publisher">Who sends.</param>
/// <param name="Recipient">Whom it is meant for.</param>
/// <param name="Fate">What becomes of it.</param>
/// <param name="HasReceipt">Its receipt is not lost; of no meaning where the fate says it all.</param>
/// <param name="HeldBack">It comes behind a later message of its publisher, if one comes at all.</param>
/// <param name="Copies">How often it comes again, when it comes.</param>
/// <param name="Corrupted">How many changed copies come, whatever else does.</param>
/// <param name="ConnectionEnds">The recipient's connection closes, too late to change what was delivered.</param>
/// <param name="Refusal">Why it was turned away, or not sent.</param>
public sealed record Story(
    int Publisher, int Recipient, Fate Fate, bool HasReceipt, bool HeldBack, int Copies, int Corrupted, bool ConnectionEnds, Cause Refusal)
{
    private static readonly Cause[] Refusals = [Cause.Shed, Cause.NoSubscriber];
    private static readonly Cause[] Failures = [Cause.ConnectRefused, Cause.ConnectTimeout, Cause.HandshakeRejected, Cause.SendError,
        Cause.ServerClosed];

    public static Gen<Story> Any() =>
        from publisher in Gen.Choose(0, 2)
        from recipient in Gen.Choose(0, 1)
        from fate in Gen.Frequency((4, Gen.Constant(Fate.Delivered)), (3, Gen.Elements(Enum.GetValues<Fate>())))
        from hasReceipt in Gen.Elements(true, false)
        from heldBack in Gen.Frequency((3, Gen.Constant(false)), (1, Gen.Constant(true)))
        from copies in Gen.Frequency((3, Gen.Constant(0)), (1, Gen.Choose(1, 3)))
        from corrupted in Gen.Frequency((4, Gen.Constant(0)), (1, Gen.Choose(1, 2)))
        from connectionEnds in Gen.Frequency((4, Gen.Constant(false)), (1, Gen.Constant(true)))
        from refusal in Gen.Elements(fate == Fate.TurnedAway ? Refusals : Failures)
        select new Story(publisher, recipient, fate, hasReceipt, heldBack, copies, corrupted, connectionEnds, refusal);

    /// <summary>An intact copy comes, in time or not.</summary>
    public bool Comes => Fate is Fate.Delivered or Fate.Late;

    /// <summary>A receipt says that the broker has taken it.</summary>
    public bool IsTaken => Fate == Fate.LostThoughTaken || (Comes && HasReceipt);
}
