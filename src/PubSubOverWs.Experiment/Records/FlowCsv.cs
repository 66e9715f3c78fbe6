using PubSubOverWs.Experiment.Accounting;
using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Formats;

namespace PubSubOverWs.Experiment.Records;

/// <summary>What became of a flow, read by the names of its columns.</summary>
internal static class FlowCsv
{
    public static FlowRow Parse(CsvRow row, Flow flow) => new()
    {
        Flow = flow,
        ScheduleLagP99 = row.OptionalTime("scheduleLagP99Us"),
        LateSends = row.Count("lateSends"),
        Buckets = BucketCsv.Parse(row),
        Anomalies = new(row.Count("duplicates"), row.Count("reorderings"), row.Count("unexpected"), row.Count("corrupted")),
        FromDue = LatencyCsv.Parse(row, "due"),
        FromSent = LatencyCsv.Parse(row, "sent"),
    };

    /// <exception cref="RecordException">Its buckets are not its attempts.</exception>
    public static void Check(FlowRow flow, string where)
    {
        var attempts = flow.Buckets.Attempts;
        if (flow.LateSends > attempts)
            throw new RecordException(
                $"{where} does not add up: {flow.LateSends} late sends of {attempts} attempts; {RecordException.Mend}.");
        if (!flow.Buckets.AddUp)
            throw new RecordException($"{where} does not add up: its buckets and causes must sum to its {attempts} attempts.");
    }
}
