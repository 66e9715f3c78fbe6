namespace PubSubOverWs.LoadTest.Experiments.Transports;

/// <summary>
/// One-way delays from almost none to long ones, the same for every message, with clients at evenly spaced phases towards the sensor: what
/// the published model and the corrected one say is held against what is measured.
/// </summary>
public sealed record TransportSweepScenario : TransportScenario, ISimultaneousTrials
{
    private static readonly Factor DelayFactor = new("delay", "ms each way");

    public static ScenarioKind Experiment { get; } = new(
        "transports-sweep", TransportArms.All, TransportArms.Contrasts, [DelayFactor],
        [
            CommonKeys.Name, CommonKeys.Arms,
            ScenarioKey.Numbers<TransportSweepScenario>(
                "delays", scenario => scenario.Delays, (scenario, value) => scenario with { Delays = value }),
            ScenarioKey.Number<TransportSweepScenario>(
                "phases", scenario => scenario.Phases, (scenario, value) => scenario with { Phases = value }) with
            { IsOfLevels = true },
            .. TransportKeys.All,
        ],
        ["delays", "phases", "measurements", "iterations", "blocks"],
        () => new TransportSweepScenario { Name = "" });

    /// <summary>The levels: ms each way. 1 to 1,000 each.</summary>
    public IReadOnlyList<int> Delays { get; init; } = [];

    /// <summary>Clients of each arm at each level. 1 to 100; fewer than 20 leave gaps where polls keep their phase.</summary>
    public int Phases { get; init; } = 20;

    public override ScenarioKind Kind => Experiment;

    public override IReadOnlyList<Measure> Measures => [PairedDifference, Requests];

    public override IReadOnlyList<Level> Levels => [.. Delays.Select(delay => new Level([new Setting(DelayFactor, delay)]))];

    protected override int ClientsAt(Level level) => Phases;

    public NetworkConditions NetworkAt(Level level) => new() { Latency = TimeSpan.FromMilliseconds(level.Number) };

    internal override void CheckLevels(string prefix)
    {
        ScenarioRules.CheckNumbers(Name, prefix + "delays", Delays, 1, 1_000);
        ScenarioRules.CheckRange(Name, prefix + "phases", Phases, 1, 100);
        base.CheckLevels(prefix);
    }
}
