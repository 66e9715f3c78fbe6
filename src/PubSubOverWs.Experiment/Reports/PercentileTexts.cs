using PubSubOverWs.Experiment.Latency;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.Experiment.Reports.Rows;

namespace PubSubOverWs.Experiment.Reports;

/// <summary>latency/*.hgrm: the distribution over all iterations that count, of each arm and level that has a log.</summary>
internal static class PercentileTexts
{
    /// <summary>Where each stands, and its text; none where the record has no distributions.</summary>
    public static IEnumerable<(string Path, string Text)> Of(string folder, RunFolder record) =>
        from place in record.Rows.Where(row => row.Counts && record.Latency.ContainsKey((row.Arm, row.Iteration)))
            .Select(row => (row.Arm, row.Level)).Distinct()
        let parts = CurveBuilder.Parts(record, ArmLevel.Of(record, place.Arm, place.Level))
        select (RecordFiles.Percentiles(folder, place.Arm, place.Level), PercentileText.Write(Distribution.Merge(parts)));
}
