using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.Experiment.Statistics;

namespace PubSubOverWs.Experiment.Metrics;

/// <summary>The values that tables compare, one per iteration. Null: the iteration has no such value.</summary>
internal static class MetricReadings
{
    /// <summary>End-to-end loss, in percent.</summary>
    public static double? LossPercent(IterationRow row) => row.Buckets.EndToEndLoss * 100;

    public static double? LatencyMs(Scenario scenario, IterationRow row) => row.LatencyOf(scenario.Arrivals).Mean / 1000;

    public static double? LostMessages(IterationRow row) => row.Buckets.Lost;

    public static double? BytesPerDelivered(IterationRow row) => PerDelivered(row, row.ClientBytes?.Total);

    /// <summary>Null: nothing was delivered, or the amount is not known.</summary>
    public static double? PerDelivered(IterationRow row, double? amount) =>
        row.Buckets.Delivered == 0 ? null : amount / row.Buckets.Delivered;

    /// <summary>Over a window that is the same for both arms: the deadline.</summary>
    public static double? KbpsOverDeadline(Scenario scenario, IterationRow row) => Kbps(row.ClientBytes?.Total, scenario.Deadline);

    /// <summary>Over the arm's own duration, where a slower arm looks thriftier.</summary>
    public static double? KbpsOverBurst(IterationRow row) => Kbps(row.ClientBytes?.Total, row.Burst);

    /// <summary>What both arms read at every level of the scenario.</summary>
    public static IReadOnlyList<LevelReadings> Read(RunFolder folder, Func<IterationRow, double?> metric) =>
        [.. folder.Run.Scenario.Levels.Select(users =>
            new LevelReadings(
                users, Read(folder, folder.Run.Scenario.Compared.First, users, metric),
                Read(folder, folder.Run.Scenario.Compared.Second, users, metric)))];

    /// <summary>What one arm reads at one level, in the order in which the iterations ran; those without a value are left out.</summary>
    public static IReadOnlyList<Reading> Read(RunFolder folder, string arm, int users, Func<IterationRow, double?> metric) =>
    [
        .. from row in Records.ArmLevel.Of(folder, arm, users).Rows
           let value = metric(row)
           where value is not null
           // Servers that the run did not start were never started afresh: all is one block.
           select new Reading(folder.Run.SetUp.OwnServers ? row.Block : 1, row.Iteration, value.Value),
    ];

    private static double? Kbps(long? bytes, TimeSpan time) => time <= TimeSpan.Zero ? null : bytes * 8 / 1000.0 / time.TotalSeconds;
}
