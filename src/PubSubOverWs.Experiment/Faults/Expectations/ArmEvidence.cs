using System.Globalization;
using PubSubOverWs.Experiment.Accounting;
using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.Experiment.Faults.Expectations;

/// <summary>One arm at one level: its iterations that count, and what befell them.</summary>
/// <param name="Level">Rows of iterations.csv; one at least.</param>
/// <param name="Faults">Their rows of faults.csv; empty: of a workload that has none.</param>
public sealed record ArmEvidence(ArmLevel Level, IReadOnlyList<FaultRow> Faults)
{
    public string Arm => Level.Arm;

    public Buckets Buckets { get; } = Level.Buckets;

    /// <summary>End-to-end loss of each iteration, from 0 to 1.</summary>
    public IReadOnlyList<double> LossRates => [.. Level.Rows.Select(row => row.Buckets.EndToEndLoss ?? 0)];

    /// <summary>What an arm that stores nothing should have lost with the windows as they were; null: not known.</summary>
    public long? PredictedLost => Faults.Count == 0 ? null : Faults.Sum(row => row.PredictedLost);

    /// <summary>Lost of what was predicted; null: nothing was.</summary>
    public double? LostOfPredicted => PredictedLost is > 0 and { } predicted ? (double)Buckets.Lost / predicted : null;

    /// <summary>The mean over all windows of subscribers, in ms: each iteration counts as it had windows. Null: there were none.</summary>
    public double? SubscriberAwayMean => MeanOf(row => row.SubscriberAwayMean, row => row.SubscriberWindows);

    /// <summary>The same of publishers.</summary>
    public double? PublisherAwayMean => MeanOf(row => row.PublisherAwayMean, row => row.PublisherWindows);

    /// <summary>Iterations after which the queue was not shown to be empty.</summary>
    public int NotDrained => Level.Rows.Count(row => row.DrainState != DrainState.Proven);

    /// <summary>Of what was delivered, in ms from due; null: nothing was.</summary>
    public double? LongestLatency => Level.Rows.Max(row => row.FromDue.Max) / 1000;

    /// <summary>Such as <c>12 of 200000 (0.01 %)</c>.</summary>
    public static string Of(long part, long all) => all == 0
        ? string.Create(CultureInfo.InvariantCulture, $"{part} of 0")
        : string.Create(CultureInfo.InvariantCulture, $"{part} of {all} ({100.0 * part / all:0.####} %)");

    private double? MeanOf(Func<FaultRow, TimeSpan?> mean, Func<FaultRow, int> count)
    {
        var rows = Faults.Where(row => mean(row) is not null && count(row) > 0).ToArray();
        var windows = rows.Sum(row => (long)count(row));
        return windows == 0 ? null : rows.Sum(row => mean(row)!.Value.TotalMilliseconds * count(row)) / windows;
    }
}
