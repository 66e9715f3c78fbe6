namespace PubSubOverWs.Experiment.Scenarios;

/// <summary>All experiments that a scenario can be of.</summary>
public static class ScenarioKinds
{
    public static IReadOnlyList<ScenarioKind> All { get; } =
    [
        Experiments.OneWay.OneWayScenario.Experiment,
        Experiments.Nodes.NodesScenario.Experiment,
        Experiments.FanOut.FanOutScenario.Experiment,
        Experiments.IdleConnections.IdleConnectionsScenario.Experiment,
        Experiments.StalledReaders.StalledReadersScenario.Experiment,
        Experiments.RequestReply.RequestReplyScenario.Experiment,
        Experiments.Transports.TransportsScenario.Experiment,
        Experiments.Transports.TransportSweepScenario.Experiment,
        Experiments.Transports.TransportCostScenario.Experiment,
        Experiments.Transports.TransportCutsScenario.Experiment,
        Experiments.Interference.InterferenceScenario.Experiment,
    ];

    /// <summary>That of a scenario that names none.</summary>
    public static ScenarioKind First => All[0];

    /// <summary>The one of this name.</summary>
    /// <exception cref="ScenarioException">There is none.</exception>
    public static ScenarioKind Of(string name) => All.FirstOrDefault(kind => kind.Name == name)
        ?? throw new ScenarioException(
            $"The experiment '{name}' is not known{Spelling.Among(name, [.. All.Select(kind => kind.Name)])}.");
}
