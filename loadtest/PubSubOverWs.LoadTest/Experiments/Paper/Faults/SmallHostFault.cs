using PubSubOverWs.LoadTest.Experiments.Paper.Predictions;

namespace PubSubOverWs.LoadTest.Experiments.Paper.Faults;

/// <summary><c>small-host</c>: the server under test alone on one core, its heap limited.</summary>
public sealed record SmallHostFault : Fault
{
    public const string Name = "small-host";

    private const long Least = 64L << 20;
    private const long Most = 1L << 40;

    /// <summary>The hard limit of the garbage-collected heap (DOTNET_GCHeapHardLimit): 64 MiB to 1 TiB. Default: 1 GiB.</summary>
    public long HeapBytes { get; init; } = 1L << 30;

    public override string Profile => Name;

    public override string Mechanism =>
        $"The server under test runs alone on one core with a heap of at most {HeapBytes >> 20} MiB; nothing else is limited. Both "
            + "servers have the same front end, which holds the connections.";

    public override string Prediction =>
        "No gain: where memory or the core do not suffice, connections are refused, and that is so before a broker is asked. Both arms "
            + "refuse alike, or neither does.";

    public override IReadOnlyList<Expectation> Expectations => [ExpectedDifference.None(Relays.Direct, Relays.PubSub)];

    public override FaultSetUp SetUp => new()
    {
        Environment = new Dictionary<string, string>
        {
            ["DOTNET_GCHeapHardLimit"] = HeapBytes.ToString("x", CultureInfo.InvariantCulture),
        },
    };

    public override bool NeedsPairs => false;

    public override bool NeedsPinning => true;

    public override bool IsAboutConnects => true;

    internal override string? WhatIsWrong(Scenario scenario) =>
        HeapBytes is < Least or > Most ? $"'heapBytes' of the fault small-host must be from {Least} to {Most}." : null;
}

/// <summary><c>connect-storm</c>: all users connect at once to a server that lets few wait.</summary>
public sealed record ConnectStormFault : Fault
{
    public const string Name = "connect-storm";

    /// <summary>Connections that may wait to be accepted: 1 to 65,535. Default: 4.</summary>
    public int Backlog { get; init; } = 4;

    public override string Profile => Name;

    public override string Mechanism =>
        $"All users connect at once, and at most {Backlog} connections may wait to be accepted. The system drops or refuses the others "
            + "before a server sees them; a client that the system tries again for waits longer.";

    public override string Prediction =>
        "No gain: a queue behind the server does not accept connections. Both arms have the same front end, and lose the messages of "
            + "users that did not get in; direct loses no more of them than pubsub.";

    public override IReadOnlyList<Expectation> Expectations =>
        [ExpectedDifference.NoMore(Relays.Direct, than: Relays.PubSub, needsLoss: true)];

    public override FaultSetUp SetUp => new()
    {
        Settings = new Dictionary<string, string> { ["Relay:Backlog"] = Backlog.ToString(CultureInfo.InvariantCulture) },
        ConnectsAllAtOnce = true,
    };

    public override bool NeedsPairs => false;

    public override bool IsAboutConnects => true;

    internal override string? WhatIsWrong(Scenario scenario) =>
        Backlog is < 1 or > 65_535 ? "'backlog' of the fault connect-storm must be from 1 to 65,535." : null;
}
