using PubSubOverWs.Experiment.Accounting;

namespace PubSubOverWs.Experiment.Records;

/// <summary>
/// The iterations of one arm at one level that count, in the order in which they ran: warm-up and superseded rows are not among them.
/// </summary>
public sealed record ArmLevel(string Arm, int Users, IReadOnlyList<IterationRow> Rows)
{
    /// <summary>All attempts of the level together.</summary>
    public Buckets Buckets => Rows.Aggregate(new Buckets { Attempts = 0 }, (sum, row) => sum.Add(row.Buckets));

    public Anomalies Anomalies => Rows.Aggregate(default(Anomalies), (sum, row) => sum.Add(row.Anomalies));

    public static ArmLevel Of(RunFolder folder, string arm, int users) =>
        new(arm, users, [.. folder.Rows.Where(row => row.Counts && row.Arm == arm && row.Users == users).OrderBy(row => row.Iteration)]);
}
