namespace PubSubOverWs.LoadTest.Experiments.Transports;

/// <summary>
/// What each transport costs: many clients of one arm at a time, on a server of its own, without a network between them. Bytes are those
/// that clients write to and read from their connections, from the first measurement on, without what TCP and IP add.
/// </summary>
public sealed record TransportCostScenario : TransportScenario
{
    public static Measure ToClients { get; } = new("bytesToClient", "bytes", "bytes to the client per measurement");

    public static Measure ToServer { get; } = new("bytesToServer", "bytes", "bytes to the server per measurement");

    public static Measure IdleMemory { get; } = new("idleMemory", "KiB", "resident memory of the server per idle client");

    private static readonly Factor ClientsFactor = new("clients", "clients");

    public static ScenarioKind Experiment { get; } = new(
        "transports-cost", TransportArms.WithHttp2, TransportArms.ContrastsWithHttp2, [ClientsFactor],
        [
            CommonKeys.Name, CommonKeys.Arms,
            ScenarioKey.Numbers<TransportCostScenario>(
                "clients", scenario => scenario.Clients, (scenario, value) => scenario with { Clients = value }),
            .. TransportKeys.All,
        ],
        ["clients", "measurements", "iterations", "blocks"],
        () => new TransportCostScenario { Name = "" })
    {
        KeepsSamples = false,
    };

    public TransportCostScenario() => Arms = TransportArms.WithHttp2;

    /// <summary>The levels. 2 to 2,000 each.</summary>
    public IReadOnlyList<int> Clients { get; init; } = [];

    public override ScenarioKind Kind => Experiment;

    public override IReadOnlyList<Measure> Measures => [ToClients, ToServer, Requests, IdleMemory];

    public override IReadOnlyList<Level> Levels => [.. Clients.Select(clients => new Level([new Setting(ClientsFactor, clients)]))];

    protected override int ClientsAt(Level level) => level.Number;

    internal override void CheckLevels(string prefix)
    {
        ScenarioRules.CheckNumbers(Name, prefix + "clients", Clients, 2, 2_000);
        base.CheckLevels(prefix);
    }
}
