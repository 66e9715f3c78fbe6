namespace PubSubOverWs.LoadTest.Experiments.Paper.Faults;

/// <summary><c>slow-consumer</c>: a share of the subscribers reads more slowly than is sent to them.</summary>
public sealed record SlowConsumerFault : Fault
{
    public const string Name = "slow-consumer";

    /// <summary>Of the subscribers: above 0, at most 1. Default: 0.1.</summary>
    public double Share { get; init; } = 0.1;

    /// <summary>
    /// The rate of such a subscriber: 10 to 1,000,000,000. Default: 100, about a third of the need of 20 messages of 100 bytes in 25 s.
    /// </summary>
    public int BytesPerSecond { get; init; } = 100;

    public override string Profile => Name;

    internal override IReadOnlyList<FaultKey> Keys =>
    [
        Share<SlowConsumerFault>("share", fault => fault.Share, (fault, value) => fault with { Share = value }),
        Number<SlowConsumerFault>("bytesPerSecond", fault => fault.BytesPerSecond, (fault, value) => fault with { BytesPerSecond = value }),
    ];

    public override string Mechanism =>
        Invariant($"{Share * 100:0.##} % of the subscribers read {BytesPerSecond} bytes a second, ")
        + "less than is sent to them. What they are behind waits in buffers of the system and of the server; where these are full, the "
        + "server's policy decides.";

    public override string Prediction =>
        "No gain: a subscriber that reads too slowly gets its messages too late, whoever keeps them meanwhile. As long as what it is "
            + "behind fits into buffers, both arms lose alike, as late.";

    public override FaultSetUp SetUp => new() { SlowSubscribers = Share, SlowBytesPerSecond = BytesPerSecond };

    public override bool NeedsOwnServers => false;

    internal override string? WhatIsWrong(Scenario scenario) =>
        Share <= 0 || BytesPerSecond is < 10 or > 1_000_000_000
            ? "Of the fault slow-consumer 'share' must be above 0 and at most 1, and 'bytesPerSecond' from 10 to 1,000,000,000."
            : null;
}
