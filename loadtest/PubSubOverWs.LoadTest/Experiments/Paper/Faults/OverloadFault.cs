using PubSubOverWs.LoadTest.Experiments.Paper.Predictions;

namespace PubSubOverWs.LoadTest.Experiments.Paper.Faults;

/// <summary><c>overload</c>: delivery takes time, and more is published than can be delivered; a third arm buffers in memory.</summary>
public sealed record OverloadFault : Fault
{
    public const string Name = "overload";

    /// <summary>Time to deliver one message, in all arms: 1 ms to 10 s. Default: 10 ms.</summary>
    public TimeSpan Cost { get; init; } = TimeSpan.FromMilliseconds(10);

    /// <summary>Concurrent deliveries: 1 to 10,000. Default: 7, which with 10 ms is at most 700 a second.</summary>
    public int AtATime { get; init; } = 7;

    /// <summary>Capacity of the arm <c>direct+buffer</c> in messages: 1 to 1,000,000. Default: 10,000.</summary>
    public int Buffer { get; init; } = RelayScenario.DefaultBuffer;

    public override string Profile => Name;

    public override string Mechanism =>
        $"Delivering a message takes {Duration.Text(Cost)}, at most {AtATime} at a time, alike in every arm. What comes while all are "
            + $"busy, the direct server sheds; {Relays.Buffered} keeps up to {Buffer} in memory, as it does what has no subscriber just "
            + "then; the pubsub server leaves it in the queue.";

    public override string Prediction =>
        $"direct sheds what comes while all its places are taken: what is beyond its capacity if messages come evenly, up to what "
            + $"Erlang's formula B says if they come by chance. {Relays.Buffered} loses as much as pubsub, of which nothing is lost that "
            + "was acknowledged: what helps here is that something waits, not that it is a queue of its own.";

    public override IReadOnlyList<Expectation> Expectations =>
    [
        ExpectedShedding.OfLossSystem(Relays.Direct, AtATime, Cost), ExpectedDifference.None(Relays.Buffered, Relays.PubSub),
        ExpectedGuarantee.Kept(Relays.PubSub),
    ];

    public override FaultSetUp SetUp => new()
    {
        Settings = new Dictionary<string, string> { ["Relay:Delivery:Cost"] = $"{Cost:c}", ["Relay:Delivery:AtATime"] = $"{AtATime}" },
    };

    public override bool NeedsPairs => false;

    // Only an ERROR with a receipt id tells a client that its message was shed.
    public override bool NeedsReceipts => true;

    public override OverloadFault Overload => this;

    public override IReadOnlyList<string> DefaultArms => [Relays.Direct, Relays.Buffered, Relays.PubSub];

    internal override string? WhatIsWrong(Scenario scenario) => WhatIsWrong(Name);

    internal string? WhatIsWrong(string profile) =>
        Cost < TimeSpan.FromMilliseconds(1) || Cost > TimeSpan.FromSeconds(10) || AtATime is < 1 or > 10_000 || Buffer is < 1 or > 1_000_000
            ? $"Of the fault {profile} 'cost' must be from 1ms to 10s, 'atATime' from 1 to 10,000 and 'buffer' from 1 to 1,000,000."
            : null;
}
