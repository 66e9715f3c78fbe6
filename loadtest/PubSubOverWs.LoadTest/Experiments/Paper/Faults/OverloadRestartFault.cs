using PubSubOverWs.LoadTest.Experiments.Paper.Predictions;

namespace PubSubOverWs.LoadTest.Experiments.Paper.Faults;

/// <summary>
/// <c>overload-restart</c>: the server is killed while a backlog waits: buffering is the mechanism, durability the queue's.
/// </summary>
public sealed record OverloadRestartFault : Fault
{
    public const string Name = "overload-restart";

    /// <inheritdoc cref="OverloadFault.Cost"/>
    public TimeSpan Cost { get => Load.Cost; init => Load = Load with { Cost = value }; }

    /// <inheritdoc cref="OverloadFault.AtATime"/>
    public int AtATime { get => Load.AtATime; init => Load = Load with { AtATime = value }; }

    /// <inheritdoc cref="OverloadFault.Buffer"/>
    public int Buffer { get => Load.Buffer; init => Load = Load with { Buffer = value }; }

    /// <inheritdoc cref="RestartFault.Down"/>
    public TimeSpan Down { get => Kill.Down; init => Kill = Kill with { Down = value }; }

    public override string Profile => Name;

    public override OverloadFault Overload => Load;

    public override RestartFault Restart => Kill;

    private OverloadFault Load { get; init; } = new();

    private RestartFault Kill { get; init; } = new(KillSignal.Kill) { Times = 1 };

    public override string Mechanism =>
        $"{Overload.Mechanism} In the second half of each iteration the server is killed (SIGKILL), at a drawn time that is the same in "
            + $"every arm, and its port opens again {Duration.Text(Down)} later.";

    public override string Prediction =>
        $"{Relays.Buffered} loses in every iteration what waited in its memory, though it was acknowledged; pubsub loses nothing that was "
            + "acknowledged: that something waits is what saves messages under overload, and that it lasts is the queue's.";

    public override IReadOnlyList<Expectation> Expectations =>
    [
        ExpectedGuarantee.Broken(Relays.Buffered, inEachIteration: true), ExpectedGuarantee.Kept(Relays.PubSub),
        ExpectedOutage.AlikeIn(Relays.Buffered, Relays.PubSub),
    ];

    public override FaultSetUp SetUp =>
        new() { Settings = Overload.SetUp.Settings, ProxiedConnections = Restart.SetUp.ProxiedConnections };

    public override TimeSpan Outage => Down;

    public override IReadOnlyList<string> DefaultArms => Overload.DefaultArms;

    // A backlog needs time to become one.
    internal override IReadOnlyList<FaultAction> Actions(TimeSpan spread, SplitMix64 numbers) =>
        Restart.Actions(spread / 2, spread / 2, numbers);

    internal override string? WhatIsWrong(Scenario scenario)
    {
        var least = 2 * RestartFault.LeastPart(Down);
        return Overload.WhatIsWrong(Name)
            ?? (Down < ShortestAbsence ? $"'down' of the fault {Name} must be {Duration.Text(ShortestAbsence)} or more." : null)
            ?? (least > scenario.Arrivals.Spread
                ? $"The fault {Name} needs messages that are spread over {Duration.Text(least)} or more, so that a backlog waits: "
                    + $"'arrival' is {scenario.Arrivals}."
                : null);
    }
}
