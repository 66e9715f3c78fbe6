using PubSubOverWs.LoadTest.Experiments.Paper.Predictions;

namespace PubSubOverWs.LoadTest.Experiments.Paper.Faults;

/// <summary><c>churn</c>: each subscriber's connection is cut repeatedly, and the subscriber stays offline for a while.</summary>
public sealed record ChurnFault : Fault
{
    public const string Name = "churn";

    /// <summary>The least spread of an iteration's messages, in (every + away): fewer cycles do not measure a share of time.</summary>
    public const int LeastCycles = 20;

    private static readonly TimeSpan Shortest = TimeSpan.FromMilliseconds(10);

    /// <summary>How long a subscriber is connected between two cuts; the first is drawn evenly. 10 ms or more. Default: 1 s.</summary>
    /// <remarks>With <see cref="Away"/> it must not divide the time between two messages of a user: it would lose all or none.</remarks>
    public TimeSpan Every { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>How long it waits before it reconnects, which takes additional time. 10 ms or more. Default: 600 ms.</summary>
    public TimeSpan Away { get; init; } = TimeSpan.FromMilliseconds(600);

    public override string Profile => Name;

    public override string Mechanism =>
        $"Each subscriber's TCP connection is cut after {Duration.Text(Every)}, and it stays away for {Duration.Text(Away)}; publishers "
            + "are never cut. "
        + "The direct server has nobody to deliver to and stores nothing; the pubsub server leaves the message in the queue, and "
        + "delivers it to the subscriber that came back.";

    public override string Prediction =>
        $"direct loses W'/(C + W') of the messages, with W' as measured, which is what is published while subscribers are away. pubsub "
            + $"loses nothing that was acknowledged, and neither does {Relays.Buffered}: "
            + "what waits in memory is enough while the process lives.";

    public override IReadOnlyList<Expectation> Expectations =>
    [
        ExpectedLoss.AsForecast(Relays.Direct), ExpectedLoss.AsClosedForm(Relays.Direct, Every), ExpectedGuarantee.Kept(Relays.PubSub),
        ExpectedGuarantee.Kept(Relays.Buffered) with { OnlyWhereRun = true }, ExpectedOutage.AlikeIn(Relays.Direct, Relays.PubSub),
    ];

    public override TimeSpan Outage => Away;

    public override IReadOnlyList<string> DefaultArms => [Relays.Direct, Relays.Buffered, Relays.PubSub];

    // Reconnecting to a cold server takes longer, and to pubsub longer than to direct: the windows would differ.
    public override int LeastWarmUps => 1;

    // With 20 messages, one every 9/8 of (every + away), each meets another phase of the cycle.
    public override TimeSpan LeastSpread => (LeastCycles + 2.5) * (Every + Away);

    public override FaultSetUp SetUp => new() { Network = new() { CutEvery = Every }, ProxiedConnections = 1, SubscribersAway = Away };

    public override bool NeedsOwnServers => false;

    internal override string? WhatIsWrong(Scenario scenario) =>
        Every < Shortest || Away < Shortest ? $"'every' and 'away' of the fault churn must be {Duration.Text(Shortest)} or more."
        : LeastCycles * (Every + Away) > scenario.Arrivals.Spread
            ? $"The fault churn needs messages that are spread over {LeastCycles} times 'every' + 'away', "
                + $"{Duration.Text(LeastCycles * (Every + Away))} or more: 'arrival' is {scenario.Arrivals}."
            : null;
}
