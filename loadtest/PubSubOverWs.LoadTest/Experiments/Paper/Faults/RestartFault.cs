using PubSubOverWs.LoadTest.Experiments.Paper.Predictions;

namespace PubSubOverWs.LoadTest.Experiments.Paper.Faults;

/// <summary>
/// <c>restart</c> and <c>restart-term</c>: the server under test is ended at drawn times, and its port opens again a fixed time later.
/// </summary>
/// <param name="Signal">How it is ended; each signal is a profile of its own.</param>
public sealed record RestartFault(KillSignal Signal) : Fault
{
    public const string KillName = "restart";
    public const string TermName = "restart-term";

    // Clients wait for a second at most before they try again.
    private static readonly TimeSpan LongestRecovery = TimeSpan.FromSeconds(3);

    // No parameter.
    public KillSignal Signal { get; } = Signal;

    /// <summary>In each iteration and arm: 1 to 100. Default: 2, which is 20 over ten iterations.</summary>
    public int Times { get; init; } = 2;

    /// <summary>
    /// From the signal until the port is open again, the same in every arm: 100 ms or more. Default: 5 s, since a server starts in 2 s and
    /// differences in reconnecting clients should matter little.
    /// </summary>
    public TimeSpan Down { get; init; } = TimeSpan.FromSeconds(5);

    public override string Profile => Signal == KillSignal.Kill ? KillName : TermName;

    public override string Mechanism => Signal == KillSignal.Kill
        ? $"The server is killed (SIGKILL) {Times} times an iteration, at drawn times that are the same in every arm, and its port opens "
            + $"again {Duration.Text(Down)} later. "
            + "All clients come back at the same pace; publishers send again, with the same id, what has no receipt. What the direct "
            + "server had in memory is gone, and what is published before a subscriber is back has nobody to go to; "
            + "what the pubsub server had acknowledged is in the queue, which lives on."
        : $"The server is asked to stop (SIGTERM) {Times} times an iteration, at drawn times that are the same in every arm, and its "
            + $"port opens again {Duration.Text(Down)} after the signal. "
            + "It may flush what it has begun; then all is as after a kill.";

    public override string Prediction =>
        $"direct loses what is published before its subscriber is back: that is counted from the measured windows of publishers and "
            + $"subscribers. pubsub loses nothing that was acknowledged. {Relays.Buffered} loses what it had acknowledged and not "
            + "delivered when it was ended, little where nothing waits.";

    public override IReadOnlyList<Expectation> Expectations =>
    [
        ExpectedLoss.AsForecast(Relays.Direct), ExpectedGuarantee.Kept(Relays.PubSub),
        ExpectedOutage.AlikeIn(Relays.Direct, Relays.PubSub),
    ];

    // Fewer than the guarantee has, which is that many SQS messages with up to Pack publishes in each.
    internal override IReadOnlyList<Expectation> ExpectationsWithin(int maxInFlight) =>
    [
        .. Expectations, ExpectedLoss.None(Relays.PubSub), ExpectedArrivals.NoMoreTwice(Relays.PubSub, maxInFlight),
        ExpectedArrivals.AsSent(Relays.PubSub),
    ];

    // All clients meet a proxy, which opens the port after the same time in every arm, however long the server takes to start.
    public override FaultSetUp SetUp => new() { ProxiedConnections = 2 };

    public override TimeSpan Outage => Down;

    public override RestartFault Restart => this;

    // By docs/reference/method.md: fewer than twenty are no rate.
    public override int LeastFaultActions => 20;

    internal override string? NotJudgedBecause =>
        Times < 2 ? "the server was stopped once an iteration, and two stops are needed" : null;

    public override IReadOnlyList<string> DefaultArms => [Relays.Direct, Relays.Buffered, Relays.PubSub];

    /// <summary>
    /// The part of the spread that one outage needs: itself, a recovery of the same length or 3 s, and half of it to be drawn from.
    /// </summary>
    internal static TimeSpan LeastPart(TimeSpan outage) => (1.5 * outage) + Recovery(outage);

    internal override IReadOnlyList<FaultAction> Actions(TimeSpan spread, SplitMix64 numbers) => Actions(TimeSpan.Zero, spread, numbers);

    // Each in its own part, so that no two coincide. The end of a part is left for recovery.
    internal IReadOnlyList<FaultAction> Actions(TimeSpan from, TimeSpan length, SplitMix64 numbers)
    {
        var part = length / Times;
        var kind = Signal == KillSignal.Kill ? FaultActionKind.KillServer : FaultActionKind.StopServer;
        return [.. Enumerable.Range(0, Times).Select(i => new FaultAction(
            from + (i * part) + ((part - Down - Recovery(Down)) * numbers.NextShare()), kind, Down))];
    }

    internal override string? WhatIsWrong(Scenario scenario) =>
        Times is < 1 or > 100
            || Down < ShortestAbsence
                ? $"'times' of the fault {Profile} must be from 1 to 100, and 'down' {Duration.Text(ShortestAbsence)} or more."
        : LeastPart(Down) * Times > scenario.Arrivals.Spread
            ? $"The fault {Profile} needs messages that are spread over {Duration.Text(LeastPart(Down) * Times)} or more, "
                + $"so that clients are back before the next: 'arrival' is {scenario.Arrivals}."
            : null;

    private static TimeSpan Recovery(TimeSpan outage) => outage < LongestRecovery ? outage : LongestRecovery;
}

/// <summary>How a server is ended.</summary>
public enum KillSignal
{
    /// <summary>SIGKILL: at once, with all it holds in memory.</summary>
    Kill,

    /// <summary>SIGTERM: it may finish what it has begun.</summary>
    Term,
}
