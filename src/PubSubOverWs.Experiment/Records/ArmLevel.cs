using PubSubOverWs.Experiment.Accounting;
using PubSubOverWs.Experiment.Design;

namespace PubSubOverWs.Experiment.Records;

/// <summary>
/// The iterations of one arm at one level that count, in the order in which they ran: warm-up and superseded rows are not among them.
/// </summary>
public sealed record ArmLevel(string Arm, Level Level, IReadOnlyList<IterationRow> Rows)
{
    /// <summary>The level, where the only factor is the number of users.</summary>
    public int Users => Level.Number;

    /// <summary>All attempts of the level together.</summary>
    public Buckets Buckets => Rows.Aggregate(new Buckets { Attempts = 0 }, (sum, row) => sum.Add(row.Buckets));

    public Anomalies Anomalies => Rows.Aggregate(default(Anomalies), (sum, row) => sum.Add(row.Anomalies));

    /// <summary>The same of one flow.</summary>
    public ArmLevel Only(string flow) => this with { Rows = [.. Rows.Select(row => row.Only(flow))] };

    public static ArmLevel Of(RunFolder folder, string arm, Level level) =>
        new(arm, level, [.. folder.Rows.Where(row => row.Counts && row.Arm == arm && row.Level.Equals(level)).OrderBy(row =>
            row.Iteration)]);
}
