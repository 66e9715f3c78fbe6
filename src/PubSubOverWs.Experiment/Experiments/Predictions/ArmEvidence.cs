using System.Globalization;
using PubSubOverWs.Experiment.Accounting;
using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.Experiment.Experiments.Predictions;

/// <summary>One arm at one level: its iterations that count, and what happened in them.</summary>
/// <param name="Level">Rows of iterations.csv; one at least.</param>
/// <param name="Faults">Their fault measures; empty: of a workload that has none.</param>
public sealed record ArmEvidence(ArmLevel Level, IReadOnlyList<FaultRow> Faults)
{
    public string Arm => Level.Arm;

    public Buckets Buckets { get; } = Level.Buckets;

    /// <summary>End-to-end loss of each iteration, from 0 to 1.</summary>
    public IReadOnlyList<double> LossRates => [.. Level.Rows.Select(row => row.Buckets.EndToEndLoss ?? 0)];

    /// <summary>The same as it was counted.</summary>
    public IReadOnlyList<(long Lost, long Attempts)> LostOfAttempted =>
        [.. Level.Rows.Select(row => ((long)row.Buckets.Lost, (long)row.Buckets.Attempts))];

    /// <summary>What an arm that stores nothing should have lost with the windows as they were; null: not known.</summary>
    public long? PredictedLost => Faults.Count == 0 ? null : Faults.Sum(row => row.PredictedLost);

    /// <summary>What windows do not foretell: it was shed, or a client never got in.</summary>
    public long LostToOtherCauses => OtherCauses(Buckets);

    /// <summary>All else that was lost.</summary>
    public long LostToWindows => Buckets.Lost - LostToOtherCauses;

    /// <summary><see cref="LostToWindows"/> of what was predicted; null: nothing was.</summary>
    public double? LostOfPredicted => PredictedLost is > 0 and { } predicted ? (double)LostToWindows / predicted : null;

    /// <summary>The smallest and the largest of that over the iterations for which something was predicted; one at least must be.</summary>
    public (double Low, double High) LostOfPredictedRange
    {
        get
        {
            var rows = Level.Rows.ToDictionary(row => row.Iteration, row => row.Buckets.Lost - OtherCauses(row.Buckets));
            double[] ratios = [.. Faults.Where(row => row.PredictedLost > 0)
                .Select(row => (double)rows[row.Iteration] / row.PredictedLost)];
            return (ratios.Min(), ratios.Max());
        }
    }

    /// <summary>The mean over all windows of subscribers, in ms: each iteration counts as it had windows. Null: there were none.</summary>
    public double? SubscriberAwayMean => MeanOf(row => row.SubscriberAwayMean, row => row.SubscriberWindows);

    /// <summary>The same of publishers.</summary>
    public double? PublisherAwayMean => MeanOf(row => row.PublisherAwayMean, row => row.PublisherWindows);

    /// <summary>Iterations after which the queue was not shown to be empty.</summary>
    public int NotDrained => Level.Rows.Count(row => row.DrainState != DrainState.Proven);

    /// <summary>Iterations that lost acknowledged messages, of those after which the queue was shown to be empty.</summary>
    public int LosingAcknowledged => Level.Rows.Count(row => row.DrainState == DrainState.Proven && row.Buckets.LostAcknowledged > 0);

    /// <summary>Why it is not said that no acknowledged message was lost; null: it can be.</summary>
    public string? NoGuarantee => Buckets.Acknowledged == 0 ? "nothing was acknowledged"
        : NotDrained > 0 ? string.Create(
            CultureInfo.InvariantCulture, $"the queue was not shown to be empty after {NotDrained} of {Level.Rows.Count} iterations")
        : null;

    /// <summary>Actions of the time line that were carried out on it.</summary>
    public long Deeds => Faults.Sum(row => (long)row.Deeds);

    /// <summary>Of what was attempted, such as <c>12 of 200000 (0.006 %)</c>.</summary>
    public string Lost => Of(Buckets.Lost, Buckets.Attempts);

    /// <summary>Of what was acknowledged.</summary>
    public string LostAcknowledged => Of(Buckets.LostAcknowledged, Buckets.Acknowledged);

    /// <summary>True: a subscriber was away.</summary>
    public bool HasWindows => Faults.Any(row => row.SubscriberWindows > 0);

    /// <summary>All time that subscribers were away, in windows that ended; null: not known.</summary>
    public TimeSpan? SubscribersAway =>
        Faults.Count == 0 ? null : TimeSpan.FromTicks(Faults.Sum(row => (row.SubscriberAwayMean?.Ticks ?? 0) * row.SubscriberWindows));

    /// <summary>Windows of clients that did not come back.</summary>
    public long NeverBack => Faults.Sum(row => (long)row.NeverBack);

    /// <summary>Of what was delivered, in ms from due; null: nothing was.</summary>
    public double? LongestLatency => Level.Rows.Max(row => row.FromDue.Max) / 1000;

    private static long OtherCauses(Buckets buckets) =>
        buckets.Causes.Shed + buckets.Causes.ConnectRefused + buckets.Causes.ConnectTimeout + buckets.Causes.HandshakeRejected;

    private static string Of(long part, long all) => all == 0
        ? string.Create(CultureInfo.InvariantCulture, $"{part} of 0")
        : $"{part.ToString(CultureInfo.InvariantCulture)} of {all.ToString(CultureInfo.InvariantCulture)} ({Percent(100.0 * part / all)} "
            + "%)";

    // Four significant digits at most.
    private static string Percent(double percent) =>
        percent.ToString(percent >= 10 ? "0.##" : percent >= 1 ? "0.###" : "0.####", CultureInfo.InvariantCulture);

    private double? MeanOf(Func<FaultRow, TimeSpan?> mean, Func<FaultRow, int> count)
    {
        var rows = Faults.Where(row => mean(row) is not null && count(row) > 0).ToArray();
        var windows = rows.Sum(row => (long)count(row));
        return windows == 0 ? null : rows.Sum(row => mean(row)!.Value.TotalMilliseconds * count(row)) / windows;
    }
}
