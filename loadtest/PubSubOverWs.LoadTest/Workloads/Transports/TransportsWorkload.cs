using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Experiments.Transports;
using PubSubOverWs.LoadTest.Targets;

namespace PubSubOverWs.LoadTest.Workloads.Transports;

/// <summary>A sensor, and clients that receive its measurements by several transports at once.</summary>
public sealed class TransportsWorkload : IWorkload
{
    public ILoad Load(Scenario scenario, Trial trial, string run, ServerGroup servers) => LoadOf(scenario, [trial], run, servers);

    public ILoad LoadOf(Scenario scenario, IReadOnlyList<Trial> trials, string run, ServerGroup servers) =>
        new TransportsLoad(new TransportPlan((TransportScenario)scenario, trials, run), servers);
}
