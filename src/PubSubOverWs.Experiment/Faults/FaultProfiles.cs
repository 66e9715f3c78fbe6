using PubSubOverWs.Experiment.Formats;

namespace PubSubOverWs.Experiment.Faults;

/// <summary>All profiles, each with its defaults.</summary>
public static class FaultProfiles
{
    public static Fault None { get; } = new NoFault();

    /// <summary>In the order in which docs/faults.md explains them.</summary>
    public static IReadOnlyList<Fault> All { get; } =
    [
        None, new ChurnFault(), new RestartFault(KillSignal.Kill), new RestartFault(KillSignal.Term), new OverloadFault(),
        new OverloadRestartFault(), new SmallHostFault(),
        new ConnectStormFault(), new BadNetworkFault(), new QueueDownFault(), new QueueKilledFault(), new SlowConsumerFault(),
    ];

    public static IEnumerable<string> Names => All.Select(fault => fault.Profile);

    /// <summary>The profile of this name with its defaults.</summary>
    /// <exception cref="ScenarioException">There is none.</exception>
    public static Fault Of(string name) => All.FirstOrDefault(fault => fault.Profile == name)
        ?? throw new ScenarioException($"The fault '{name}' is not known: {string.Join(", ", Names)}.");
}
