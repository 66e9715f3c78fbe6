using System.Text.Json;
using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Experiments.Relay;
using PubSubOverWs.Experiment.Formats;

namespace PubSubOverWs.Experiment.Experiments.Faults;

/// <summary><c>churn</c>: each subscriber's connection is cut again and again, and the subscriber stays away for a while.</summary>
public sealed record ChurnFault : Fault
{
    public const string Name = "churn";

    /// <summary>
    /// So many times (every + away) the messages of an iteration are spread over at least: fewer say little of a share of time.
    /// </summary>
    public const int LeastCycles = 20;

    private static readonly TimeSpan Shortest = TimeSpan.FromMilliseconds(10);

    /// <summary>
    /// How long a subscriber is connected between two cuts; where in it the first comes is drawn evenly. 10 ms or more. Default: 1 s.
    /// </summary>
    /// <remarks>With <see cref="Away"/> no divisor of the time between two messages of a user, nor nearly: else it would lose all of them
    /// or none.</remarks>
    public TimeSpan Every { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>
    /// How long it waits before it connects again; connecting and subscribing come on top. 10 ms or more. Default: 600 ms.
    /// </summary>
    public TimeSpan Away { get; init; } = TimeSpan.FromMilliseconds(600);

    public override string Profile => Name;

    public override IReadOnlyList<FaultParameter> Parameters => [Parameter("every", Every), Parameter("away", Away)];

    public override string Mechanism =>
        $"Each subscriber's TCP connection is cut after {Duration.Text(Every)}, and it stays away for {Duration.Text(Away)}; publishers "
            + "are never cut. "
        + "The direct server has nobody to deliver to and stores nothing; the pubsub server leaves the message in the queue, and "
        + "delivers it to the subscriber that came back.";

    public override string Prediction =>
        $"direct loses W'/(C + W') of the messages, with W' as measured, which is what is published while subscribers are away. pubsub "
            + $"loses nothing that was acknowledged, and neither does {Arms.Buffered}: what waits in memory is enough while the process "
            + "lives.";

    public override TimeSpan Outage => Away;

    public override IReadOnlyList<string> DefaultArms => [Arms.Direct, Arms.Buffered, Arms.PubSub];

    // A server that is cold takes longer to take clients back, and pubsub longer than direct: the windows would differ.
    public override int LeastWarmUps => 1;

    // Of 20 messages one comes every 9/8 of (every + away), and so each finds its subscriber elsewhere in it.
    public override TimeSpan LeastSpread => (LeastCycles + 2.5) * (Every + Away);

    public override FaultSetUp SetUp =>
        new() { Network = new() { CutEvery = Every }, ProxiedConnections = 1, SubscribersAway = Away };

    // The proxy stands before any server.
    public override bool NeedsOwnServers => false;

    internal override Fault? With(string key, JsonElement value) => key switch
    {
        "every" => this with { Every = JsonValue.Time(key, value) },
        "away" => this with { Away = JsonValue.Time(key, value) },
        _ => null,
    };

    internal override string? WhatIsWrong(Scenario scenario) =>
        Every < Shortest || Away < Shortest ? $"'every' and 'away' of the fault churn must be {Duration.Text(Shortest)} or more."
        : LeastCycles * (Every + Away) > scenario.Arrivals.Spread
            ? $"The fault churn needs messages that are spread over {LeastCycles} times 'every' + 'away', "
                + $"{Duration.Text(LeastCycles * (Every + Away))} or more: 'arrival' is {scenario.Arrivals}."
            : null;
}
