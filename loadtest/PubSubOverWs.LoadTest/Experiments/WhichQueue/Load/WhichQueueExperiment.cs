using PubSubOverWs.LoadTest.Experiments.WhichQueue.Load.Brokers;
using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.WhichQueue.Load;

/// <summary>The same load on servers with different queues.</summary>
public sealed class WhichQueueExperiment : Experiment
{
    private readonly BrokerTarget _brokers = new();

    public WhichQueueExperiment() => Targets = [_brokers];

    public override ScenarioKind Kind => WhichQueueScenario.Experiment;

    public override Analysis Analysis => WhichQueueAnalysis.Analysis;

    public override ILoad Load(Scenario scenario, Trial trial, string run, ServerGroup servers)
    {
        var asked = (WhichQueueScenario)scenario;
        var broker = _brokers.Running(trial.Arm);
        return QueueTrial.Of(trial.Level) == QueueTrial.Alone
            ? new AloneLoad(asked, trial, run, servers, broker)
            : new PairsLoad(asked, trial, run, servers, broker);
    }

    public override IReadOnlyDictionary<string, double?> Measures(TrialOutcome outcome)
    {
        var row = outcome.Row;
        var isAlone = QueueTrial.Of(row.Level) == QueueTrial.Alone;
        return new Dictionary<string, double?>(outcome.Measured.Measures)
        {
            [WhichQueueScenario.RelayCpu.Name] = isAlone ? null : PerMessage(row.Cpu.Server?.TotalMicroseconds),
            [WhichQueueScenario.QueueCpu.Name] = PerMessage(row.Cpu.Queue?.TotalMicroseconds),
            [WhichQueueScenario.ClientCpu.Name] = isAlone ? PerMessage(row.Cpu.Load?.TotalMicroseconds) : null,
            [WhichQueueScenario.Written.Name] = PerMessage(_brokers.Running(row.Arm)?.CountWritten()),
        };

        double? PerMessage(double? amount) => row.Buckets.Delivered > 0 ? amount / row.Buckets.Delivered : null;
    }
}
