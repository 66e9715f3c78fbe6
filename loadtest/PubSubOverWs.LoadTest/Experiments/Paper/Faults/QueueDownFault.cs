using PubSubOverWs.LoadTest.Experiments.Paper.Predictions;

namespace PubSubOverWs.LoadTest.Experiments.Paper.Faults;

/// <summary><c>queue-down</c>: for a while the pubsub server does not reach its queue, which keeps what it has.</summary>
public sealed record QueueDownFault : Fault
{
    public const string Name = "queue-down";

    /// <summary>Default: refused.</summary>
    public QueueAbsence How { get; init; }

    /// <summary>From the first due. 0 s or more. Default: 8 s.</summary>
    public TimeSpan At { get; init; } = TimeSpan.FromSeconds(8);

    /// <summary>How long: 100 ms or more. Default: 5 s.</summary>
    public TimeSpan For { get; init; } = TimeSpan.FromSeconds(5);

    public override string Profile => Name;

    public override string Mechanism =>
        $"For {Duration.Text(For)} the way between the pubsub server and its queue "
            + $"{(How == QueueAbsence.Refuse ? "refuses connections" : "lets nothing pass")}. The direct server has no queue: nothing "
            + "happens to it, on the same time line.";

    public override string Prediction =>
        "direct is unaffected. pubsub is worse: while the queue is away it can neither take nor deliver, so in every iteration messages "
            + "come late by half of that time or more, or are refused; what it had acknowledged is not lost.";

    public override IReadOnlyList<Expectation> Expectations =>
        [ExpectedLoss.None(Relays.Direct), ExpectedGuarantee.Kept(Relays.PubSub), ExpectedOutage.Shows(Relays.PubSub, For)];

    public override TimeSpan Outage => For;

    public override FaultSetUp SetUp => new() { ProxiesQueue = true };

    internal override IReadOnlyList<FaultAction> Actions(TimeSpan spread, SplitMix64 numbers) =>
        [new FaultAction(At, How == QueueAbsence.Refuse ? FaultActionKind.QueueRefuses : FaultActionKind.QueueStalls, For)];

    internal override string? WhatIsWrong(Scenario scenario) => WhatIsWrongWith(scenario, At, For, "for");
}

/// <summary>How the queue cannot be reached.</summary>
public enum QueueAbsence
{
    /// <summary>There is no listener: connections are refused, and open ones are cut.</summary>
    Refuse,

    /// <summary>Connections stay, and nothing passes.</summary>
    Stall,
}

/// <summary><c>queue-killed</c>: LocalSqs, which keeps messages in memory, is killed and started again, empty, on the same port.</summary>
public sealed record QueueKilledFault : Fault
{
    public const string Name = "queue-killed";

    /// <summary>From the first due. 0 s or more. Default: 12 s.</summary>
    public TimeSpan At { get; init; } = TimeSpan.FromSeconds(12);

    /// <summary>From the kill until the port is open again: 100 ms or more. Default: 1 s.</summary>
    public TimeSpan Down { get; init; } = TimeSpan.FromSeconds(1);

    public override string Profile => Name;

    public override string Mechanism =>
        $"LocalSqs is killed (SIGKILL) and comes back empty {Duration.Text(Down)} later. What was in it, and what subscribers that are "
            + "away had not got yet, is gone, though the pubsub server had acknowledged it. The direct server has no queue.";

    public override string Prediction =>
        "pubsub loses messages that it had acknowledged: durability is the queue's, and is assumed everywhere else. direct is unaffected.";

    public override IReadOnlyList<Expectation> Expectations => [ExpectedLoss.None(Relays.Direct), ExpectedGuarantee.Broken(Relays.PubSub)];

    public override TimeSpan Outage => Down;

    public override FaultSetUp SetUp => new() { ProxiesQueue = true };

    public override bool KillsQueue => true;

    internal override IReadOnlyList<FaultAction> Actions(TimeSpan spread, SplitMix64 numbers) =>
        [new FaultAction(At, FaultActionKind.KillQueue, Down)];

    internal override string? WhatIsWrong(Scenario scenario) => WhatIsWrongWith(scenario, At, Down, "down");
}
