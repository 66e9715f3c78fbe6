using System.Globalization;
using System.Text.Json;
using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Experiments.Relay;
using PubSubOverWs.Experiment.Formats;

namespace PubSubOverWs.Experiment.Experiments.Faults;

/// <summary>
/// <c>overload</c>: delivering costs time, and more is published for a while than can be delivered; a third arm buffers in memory.
/// </summary>
public sealed record OverloadFault : Fault
{
    public const string Name = "overload";

    /// <summary>For delivering one message, alike in all arms: 1 ms to 10 s. Default: 10 ms.</summary>
    public TimeSpan Cost { get; init; } = TimeSpan.FromMilliseconds(10);

    /// <summary>How many are delivered at a time: 1 to 10,000. Default: 7, which with 10 ms is at most 700 a second.</summary>
    public int AtATime { get; init; } = 7;

    /// <summary>Messages that the arm <c>direct+buffer</c> has room for at that step: 1 to 1,000,000. Default: 10,000.</summary>
    public int Buffer { get; init; } = 10_000;

    public override string Profile => Name;

    public override IReadOnlyList<FaultParameter> Parameters =>
        [Parameter("cost", Cost), Parameter("atATime", AtATime), Parameter("buffer", Buffer)];

    public override string Mechanism =>
        $"Delivering a message takes {Duration.Text(Cost)}, at most {AtATime} at a time, alike in every arm. What comes while all are "
            + $"busy, the direct server sheds; {Arms.Buffered} keeps up to {Buffer} in memory, as it does what has no subscriber just "
            + "then; the pubsub server leaves it in the queue.";

    public override string Prediction =>
        $"direct sheds what comes while all its places are taken: what is beyond its capacity if messages come evenly, up to what "
            + $"Erlang's formula B says if they come by chance. {Arms.Buffered} loses as much as pubsub, of which nothing is lost that "
            + "was acknowledged: what helps here is that something waits, not that it is a queue of its own.";

    public override FaultSetUp SetUp => new()
    {
        Settings = new Dictionary<string, string>
        {
            ["Relay:Delivery:Cost"] = $"{Cost:c}",
            ["Relay:Delivery:AtATime"] = AtATime.ToString(CultureInfo.InvariantCulture),
        },
    };

    public override bool NeedsPairs => false;

    // Only an ERROR with a receipt id tells a client that its message was shed.
    public override bool NeedsReceipts => true;

    public override OverloadFault Overload => this;

    public override IReadOnlyList<string> DefaultArms => [Arms.Direct, Arms.Buffered, Arms.PubSub];

    internal override Fault? With(string key, JsonElement value) => key switch
    {
        "cost" => this with { Cost = JsonValue.Time(key, value) },
        "atATime" => this with { AtATime = JsonValue.Number(key, value) },
        "buffer" => this with { Buffer = JsonValue.Number(key, value) },
        _ => null,
    };

    internal override string? WhatIsWrong(Scenario scenario) => WhatIsWrong(Name);

    /// <summary>What is wrong with its values; null: nothing is.</summary>
    /// <param name="profile">The one that was asked for.</param>
    internal string? WhatIsWrong(string profile) =>
        Cost < TimeSpan.FromMilliseconds(1) || Cost > TimeSpan.FromSeconds(10) || AtATime is < 1 or > 10_000 || Buffer is < 1 or > 1_000_000
            ? $"Of the fault {profile} 'cost' must be from 1ms to 10s, 'atATime' from 1 to 10,000 and 'buffer' from 1 to 1,000,000."
            : null;
}
