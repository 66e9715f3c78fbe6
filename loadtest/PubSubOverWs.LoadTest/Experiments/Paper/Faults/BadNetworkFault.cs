using PubSubOverWs.LoadTest.Experiments.Paper.Predictions;

namespace PubSubOverWs.LoadTest.Experiments.Paper.Faults;

/// <summary>
/// <c>bad-network</c>: between subscribers and server, bytes are delayed, slow, sliced and stalled, and connections are reset.
/// </summary>
public sealed record BadNetworkFault : Fault
{
    public const string Name = "bad-network";

    private static readonly TimeSpan Least = TimeSpan.FromMilliseconds(1);

    /// <summary>The delay in each direction: 0 s to 10 s. Default: 50 ms.</summary>
    public TimeSpan Latency { get; init; } = TimeSpan.FromMilliseconds(50);

    /// <summary>The latency of each chunk is uniform within <see cref="Latency"/> +/- Jitter: 0 s to the latency. Default: 20 ms.</summary>
    public TimeSpan Jitter { get; init; } = TimeSpan.FromMilliseconds(20);

    /// <summary>Of a connection, each direction for itself: 100 to 1,000,000,000. Default: 64 KiB/s.</summary>
    public int BytesPerSecond { get; init; } = 64 << 10;

    /// <summary>From the opening of a connection to its reset, within <see cref="ResetJitter"/>: 100 ms to 10 min. Default: 6 s.</summary>
    public TimeSpan ResetAfter { get; init; } = TimeSpan.FromSeconds(6);

    /// <summary>0 s to <see cref="ResetAfter"/>. Default: 4 s.</summary>
    public TimeSpan ResetJitter { get; init; } = TimeSpan.FromSeconds(4);

    /// <summary>The probability that a connection is reset: 0 to 1. Default: 0.5.</summary>
    public double ResetShare { get; init; } = 0.5;

    /// <summary>From the beginning of one stall to that of the next: 1 ms to 10 min. Default: 8 s.</summary>
    public TimeSpan StallEvery { get; init; } = TimeSpan.FromSeconds(8);

    /// <summary>The length of a stall: 0 s (none) to <see cref="StallEvery"/>. Default: 500 ms.</summary>
    public TimeSpan StallFor { get; init; } = TimeSpan.FromMilliseconds(500);

    /// <summary>The mean size of the slices that bytes come in: 1 to 65,536. Default: 64.</summary>
    public int SliceBytes { get; init; } = 64;

    public override string Profile => Name;

    public override string Mechanism =>
        "The subscribers' connections go through a bad network, alike in every arm: late and slow bytes, slices, standstills, and "
            + "resets, after which a subscriber comes back. "
        + "What a server had written to a socket that is reset is gone; a subscriber that has acknowledged nothing gets it again, if "
        + "somebody still has it.";

    public override string Prediction =>
        "Resets hit both arms. direct loses messages that it had acknowledged to their publishers: those on their way into a connection "
            + "that is reset. pubsub loses none of its own: what no subscriber has acknowledged is delivered again.";

    public override IReadOnlyList<Expectation> Expectations =>
    [
        ExpectedOutage.OfSubscribers(Relays.Direct), ExpectedOutage.OfSubscribers(Relays.PubSub),
        ExpectedGuarantee.Broken(Relays.Direct), ExpectedGuarantee.Kept(Relays.PubSub),
        ExpectedOutage.AlikeIn(Relays.Direct, Relays.PubSub),
    ];

    public override TimeSpan Outage => StallFor;

    public override FaultSetUp SetUp => new()
    {
        Network = new()
        {
            Latency = Latency,
            Jitter = Jitter,
            BytesPerSecond = BytesPerSecond,
            SliceBytes = SliceBytes,
            StallEvery = StallEvery,
            StallFor = StallFor,
            ResetAfter = ResetAfter,
            ResetJitter = ResetJitter,
            ResetShare = ResetShare,
        },
        ProxiedConnections = 1,
    };

    public override bool NeedsOwnServers => false;

    internal override string? WhatIsWrong(Scenario scenario) =>
        Latency > TimeSpan.FromSeconds(10) || Jitter > Latency
            ? "Of the fault bad-network 'latency' must be at most 10s, and 'jitter' at most the latency."
        : BytesPerSecond is < 100 or > 1_000_000_000 || SliceBytes is < 1 or > 65_536
            ? "Of the fault bad-network 'bytesPerSecond' must be from 100 to 1,000,000,000, and 'sliceBytes' from 1 to 65,536."
        : ResetAfter < TimeSpan.FromMilliseconds(100) || ResetAfter > TimeSpan.FromMinutes(10) || ResetJitter > ResetAfter
            ? "Of the fault bad-network 'resetAfter' must be from 100ms to 600s, and 'resetJitter' at most that."
        : StallEvery < Least || StallEvery > TimeSpan.FromMinutes(10) || StallFor > StallEvery
            ? "Of the fault bad-network 'stallEvery' must be from 1ms to 600s, and 'stallFor' at most that."
        : null;
}

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

    public override string Mechanism =>
        Invariant($"{Share * 100:0.##} % of the subscribers read {BytesPerSecond} bytes a second, ")
        + "less than is sent to them. What they are behind waits in buffers of the system and of the server; where these are full, the "
        + "server's policy decides.";

    public override string Prediction =>
        "No gain: a subscriber that reads too slowly gets its messages too late, whoever keeps them meanwhile. As long as what it is "
            + "behind fits into buffers, both arms lose alike, as late.";

    public override IReadOnlyList<Expectation> Expectations => [ExpectedDifference.None(Relays.Direct, Relays.PubSub, needsLoss: true)];

    public override FaultSetUp SetUp => new() { SlowSubscribers = Share, SlowBytesPerSecond = BytesPerSecond };

    public override bool NeedsOwnServers => false;

    internal override string? WhatIsWrong(Scenario scenario) =>
        Share <= 0 || BytesPerSecond is < 10 or > 1_000_000_000
            ? "Of the fault slow-consumer 'share' must be above 0 and at most 1, and 'bytesPerSecond' from 10 to 1,000,000,000."
            : null;
}
