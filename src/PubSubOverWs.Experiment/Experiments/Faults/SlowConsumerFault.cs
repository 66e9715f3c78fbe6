using System.Globalization;
using System.Text.Json;
using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Formats;

namespace PubSubOverWs.Experiment.Experiments.Faults;

/// <summary><c>slow-consumer</c>: a share of the subscribers reads more slowly than is sent to them.</summary>
public sealed record SlowConsumerFault : Fault
{
    public const string Name = "slow-consumer";

    /// <summary>Of the subscribers: above 0, at most 1. Default: 0.1.</summary>
    public double Share { get; init; } = 0.1;

    /// <summary>
    /// What such a subscriber reads: 10 to 1,000,000,000. Default: 100, about a third of what 20 messages of 100 bytes in 25 s take with
    /// their framing.
    /// </summary>
    public int BytesPerSecond { get; init; } = 100;

    public override string Profile => Name;

    public override IReadOnlyList<FaultParameter> Parameters =>
        [Parameter("share", Share), Parameter("bytesPerSecond", BytesPerSecond)];

    public override string Mechanism =>
        string.Create(CultureInfo.InvariantCulture, $"{Share * 100:0.##} % of the subscribers read {BytesPerSecond} bytes a second, ")
        + "less than is sent to them. What they are behind waits in buffers of the system and of the server; where these are full, the "
        + "server's policy decides.";

    public override string Prediction =>
        "No gain: a subscriber that reads too slowly gets its messages too late, whoever keeps them meanwhile. As long as what it is "
            + "behind fits into buffers, both arms lose alike, as late.";

    public override FaultSetUp SetUp => new() { SlowSubscribers = Share, SlowBytesPerSecond = BytesPerSecond };

    public override bool NeedsOwnServers => false;

    internal override Fault? With(string key, JsonElement value) => key switch
    {
        "share" => this with { Share = JsonValue.Share(key, value) },
        "bytesPerSecond" => this with { BytesPerSecond = JsonValue.Number(key, value) },
        _ => null,
    };

    internal override string? WhatIsWrong(Scenario scenario) =>
        Share <= 0 || BytesPerSecond is < 10 or > 1_000_000_000
            ? "Of the fault slow-consumer 'share' must be above 0 and at most 1, and 'bytesPerSecond' from 10 to 1,000,000,000."
            : null;
}
