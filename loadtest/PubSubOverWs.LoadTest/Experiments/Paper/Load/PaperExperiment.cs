using PubSubOverWs.LoadTest.Experiments.Paper.Faults;
using PubSubOverWs.LoadTest.Experiments.Paper.Predictions;
using PubSubOverWs.LoadTest.Experiments.Paper.Replication;
using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Browser;
using PubSubOverWs.LoadTest.Harness.Runs;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workers;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.Paper.Load;

/// <summary>The load of the paper, undisturbed or under a fault.</summary>
public sealed class PaperExperiment : Experiment, IBrowserLoad, IPredictedOutcome, ISelfTest, ISharedLoad
{
    public override ScenarioKind Kind => OneWayScenario.Experiment;

    public override Analysis Analysis => PaperReport.Analysis;

    public override ILoad Load(Scenario scenario, Trial trial, string run, ServerGroup servers) =>
        new OneWayLoad(Plan(scenario, trial, run), servers);

    public ILoad Load(
        Scenario scenario, Trial trial, string run, ServerGroup servers, IReadOnlyList<ILoadProcess> processes, TimeProvider time) =>
        new OneWayWorkers(Plan(scenario, trial, run), Kind.Name, LoadWorker.All(processes, time), servers);

    public IShareOfLoad Share(JsonElement plan, LoadShare share, ServerGroup servers) => new OneWayClients(
        WorkerOrders.ReadPlan<IterationPlan>(plan), share, servers);

    public override IReadOnlyDictionary<string, double?> Measures(TrialOutcome outcome)
    {
        var (scenario, row, attempts, measured, disturbance) = outcome;
        return ((OneWayScenario)scenario).KeepsFaults
            ? FaultRow.From(row, disturbance?.Actions ?? 0, attempts, measured.Windows, measured.Republished).Measures
            : measured.Measures;
    }

    public void CheckBrowser(Scenario scenario, string clientOption) =>
        RefusalException.ThrowUnless(scenario is OneWayScenario { Workload: Workload.Loopback, Fault: NoFault },
            $"{clientOption} has users that neither reconnect nor are disturbed: omit it, or the fault and the workload pairs.");

    public ILoad LoadInPage(Scenario scenario, Trial trial, string run, ServerGroup servers, BrowserPage page) =>
        new PageLoad(Plan(scenario, trial, run), servers, page);

    public RegisteredPrediction? Predict(Scenario scenario) => FaultExpectations.Registered(scenario);

    public Task<ExitCode> RunSelfTestAsync(RunRequest request, Terminal terminal, CancellationToken stopping) =>
        SelfTest.RunAsync(request, terminal, stopping);

    /// <inheritdoc cref="Experiment.Load"/>
    public static IterationPlan Plan(Scenario scenario, Trial trial, string run) => Plan((OneWayScenario)scenario, trial, run);

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
