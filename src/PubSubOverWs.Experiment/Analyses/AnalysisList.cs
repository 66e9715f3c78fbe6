using PubSubOverWs.Experiment.Claims.Standard;
using PubSubOverWs.Experiment.Experiments.FanOut;
using PubSubOverWs.Experiment.Experiments.IdleConnections;
using PubSubOverWs.Experiment.Experiments.Interference;
using PubSubOverWs.Experiment.Experiments.Nodes;
using PubSubOverWs.Experiment.Experiments.OneWay;
using PubSubOverWs.Experiment.Experiments.Replication;
using PubSubOverWs.Experiment.Experiments.RequestReply;
using PubSubOverWs.Experiment.Experiments.StalledReaders;
using PubSubOverWs.Experiment.Experiments.Transports;
using PubSubOverWs.Experiment.Reports;

namespace PubSubOverWs.Experiment.Analyses;

/// <summary>The analysis of each experiment.</summary>
public static class AnalysisList
{
    public static IReadOnlyDictionary<ScenarioKind, Analysis> All { get; } = new Dictionary<ScenarioKind, Analysis>
    {
        [OneWayScenario.Experiment] = PaperReport.Analysis,
        [NodesScenario.Experiment] = NodesAnalysis.Analysis,
        [FanOutScenario.Experiment] = FanOutAnalysis.Analysis,
        [IdleConnectionsScenario.Experiment] = IdleConnectionsAnalysis.Analysis,
        [StalledReadersScenario.Experiment] = StalledReadersAnalysis.Analysis,
        [RequestReplyScenario.Experiment] = RequestReplyAnalysis.Analysis,
        [TransportsScenario.Experiment] = TransportsAnalysis.Tests,
        [TransportSweepScenario.Experiment] = TransportsAnalysis.Sweep,
        [TransportCostScenario.Experiment] = TransportsAnalysis.Cost,
        [TransportCutsScenario.Experiment] = TransportsAnalysis.Cuts,
        [InterferenceScenario.Experiment] = InterferenceAnalysis.Analysis,
    };

    /// <summary>The verdicts on the claims of the record's experiment; empty if it has none.</summary>
    public static IReadOnlyList<ClaimResult> Judge(RunFolder folder) =>
        new ClaimEvidence(folder).Judge(All[folder.Run.Scenario.Kind].Claims);

    /// <summary>All verdicts of a record: on its experiment's hypotheses, and on its claims.</summary>
    public static IEnumerable<ReportVerdict> Verdicts(RunFolder folder) =>
        [.. Report.Make(folder).Verdicts, .. Judge(folder).Select(one => new ReportVerdict(one.Claim.Id, one.Together.Word, one.Sentence))];
}
