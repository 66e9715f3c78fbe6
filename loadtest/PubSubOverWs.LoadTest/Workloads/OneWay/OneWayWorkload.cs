using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Experiments.OneWay;
using PubSubOverWs.LoadTest.Targets;

namespace PubSubOverWs.LoadTest.Workloads.OneWay;

/// <summary>The load of the paper and of the faults.</summary>
public sealed class OneWayWorkload : IWorkload
{
    public ILoad Load(Scenario scenario, Trial trial, string run, ServerGroup servers) =>
        new OneWayLoad(Plan((OneWayScenario)scenario, trial, run), servers);

    private static IterationPlan Plan(OneWayScenario scenario, Trial trial, string run) => new()
    {
        Run = run,
        Iteration = trial.Iteration,
        Users = scenario.UsersAt(trial.Level),
        Messages = scenario.Messages,
        Pairs = scenario.KeepsFaults ? Pairs(scenario) : null,
        Arrival = scenario.Arrival,
        PayloadBytes = scenario.PayloadBytes,
        Receipts = scenario.Receipts,
        Echo = trial.Arm == Arm.Floor,
        Deadline = scenario.Deadline,
        ConnectsUnderWay = scenario.Fault.SetUp.ConnectsAllAtOnce
            ? scenario.UsersAt(trial.Level)
            : LoadBounds.DefaultConnectsUnderWay,
    };

    private static PairsPlan Pairs(OneWayScenario scenario) => new()
    {
        Seed = scenario.Seed,
        Away = scenario.Fault.SetUp.SubscribersAway,
        SlowShare = scenario.Fault.SetUp.SlowSubscribers,
        SlowBytesPerSecond = scenario.Fault.SetUp.SlowBytesPerSecond,
    };
}
