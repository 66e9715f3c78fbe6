using PubSubOverWs.Experiment.Latency;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.Experiment.Reports.Rows;

namespace PubSubOverWs.Experiment.Reports;

/// <summary>latency/*.hgrm: the distribution over all iterations that count, of each arm and level that has a log.</summary>
internal static class PercentileTexts
{
    /// <summary>Where each stands, and its text; none where the record has no distributions.</summary>
    public static IEnumerable<(string Path, string Text)> Of(string folder, RunFolder record) =>
        from place in record.Rows.Where(row => row.Counts && record.LatencyOf(row) is not null)
            .Select(row => (row.Arm, row.Level)).Distinct()
        let level = ArmLevel.Of(record, place.Arm, place.Level)
        from flow in record.Run.Scenario.Flows
        let parts = CurveBuilder.Parts(record, level.Only(flow.Name))
        let name = record.Run.Scenario.Flows.Count == 1 ? "" : flow.Name
        select (RecordFiles.Percentiles(folder, place.Arm, place.Level, name), PercentileText.Write(Distribution.Merge(parts)));
}
