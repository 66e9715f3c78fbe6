namespace PubSubOverWs.LoadTest.Experiments.Paper.Faults;

/// <summary><c>connect-storm</c>: all users connect at once to a server that lets few wait.</summary>
public sealed record ConnectStormFault : Fault
{
    public const string Name = "connect-storm";

    /// <summary>Connections that may wait to be accepted: 1 to 65,535. Default: 4.</summary>
    public int Backlog { get; init; } = 4;

    public override string Profile => Name;

    internal override IReadOnlyList<FaultKey> Keys =>
        [Number<ConnectStormFault>("backlog", fault => fault.Backlog, (fault, value) => fault with { Backlog = value })];

    public override string Mechanism =>
        $"All users connect at once, and at most {Backlog} connections may wait to be accepted. The system drops or refuses the others "
            + "before a server sees them; a client that the system tries again for waits longer.";

    public override string Prediction =>
        "No gain: a queue behind the server does not accept connections. Both arms have the same front end, and lose the messages of "
            + "users that did not get in; direct loses no more of them than pubsub.";

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
