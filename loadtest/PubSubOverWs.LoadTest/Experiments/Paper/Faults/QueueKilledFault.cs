namespace PubSubOverWs.LoadTest.Experiments.Paper.Faults;

/// <summary><c>queue-killed</c>: LocalSqs, which keeps messages in memory, is killed and started again, empty, on the same port.</summary>
public sealed record QueueKilledFault : Fault
{
    public const string Name = "queue-killed";

    /// <summary>From the first due. 0 s or more. Default: 12 s.</summary>
    public TimeSpan At { get; init; } = TimeSpan.FromSeconds(12);

    /// <summary>From the kill until the port is open again: 100 ms or more. Default: 1 s.</summary>
    public TimeSpan Down { get; init; } = TimeSpan.FromSeconds(1);

    public override string Profile => Name;

    internal override IReadOnlyList<FaultKey> Keys =>
    [
        Time<QueueKilledFault>("at", fault => fault.At, (fault, value) => fault with { At = value }),
        Time<QueueKilledFault>("down", fault => fault.Down, (fault, value) => fault with { Down = value }),
    ];

    public override string Mechanism =>
        $"LocalSqs is killed (SIGKILL) and comes back empty {Duration.Text(Down)} later. What was in it, and what subscribers that are "
            + "away had not got yet, is gone, though the pubsub server had acknowledged it. The direct server has no queue.";

    public override string Prediction =>
        "pubsub loses messages that it had acknowledged: durability is the queue's, and is assumed everywhere else. direct is unaffected.";

    public override TimeSpan Outage => Down;

    public override FaultSetUp SetUp => new() { ProxiesQueue = true };

    public override bool KillsQueue => true;

    internal override IReadOnlyList<FaultAction> Actions(TimeSpan spread, SplitMix64 numbers) =>
        [new FaultAction(At, FaultActionKind.KillQueue, Down)];

    internal override string? WhatIsWrong(Scenario scenario) => WhatIsWrongWith(scenario, At, Down, "down");
}
