using PubSubOverWs.LoadTest.Experiments.Paper.Published;
using PubSubOverWs.Report.Standard.Rows;

namespace PubSubOverWs.LoadTest.Experiments.Paper.Replication;

/// <summary>The points of the figures, from the record and its tables.</summary>
internal static class PointBuilder
{
    public static FigurePoints Build(RunFolder folder, TableBuilder tables) => new(
        Both(folder.Run.Scenario.Compared, tables.Loss,
            row => (Published(row.PublishedLoss?.Direct), Published(row.PublishedLoss?.PubSub))),
        Both(folder.Run.Scenario.Compared, tables.Latency, row => (Published(row.Published?.Direct), Published(row.Published?.PubSub))),
        [.. folder.Rows.Where(row => !row.Superseded).OrderBy(row => row.Order).Select(row => Point(folder.Run.Scenario, row))],
        folder.Events);

    private static ArmPoint[] Both(
        Contrast compared, MetricTable table,
        Func<MetricRow, ((double? Mean, double? Sd) Direct, (double? Mean, double? Sd) PubSub)> published) =>
    [
        .. from row in table.Rows
           let printed = published(row)
           from point in new[]
           {
               Point(compared.First, row.Measured.Users, row.Measured.First, printed.Direct),
               Point(compared.Second, row.Measured.Users, row.Measured.Second, printed.PubSub),
           }
           where point.Count > 0
           select point,
    ];

    private static ArmPoint Point(string arm, int users, Moments measured, (double? Mean, double? Sd) published) => new(
        arm, users, measured.Count, measured.Mean, measured.Count < 2 ? null : measured.StandardDeviation,
        PairedTest.Difference(measured, 0.95), published.Mean, published.Sd);

    private static IterationPoint Point(Scenario scenario, IterationRow row) => new(
        row.Arm, row.Users, row.Block, row.Iteration, row.WarmUp, row.Start.TotalSeconds,
        (row.Connect + row.Burst + row.Drain).TotalSeconds, MessageMetrics.Latency.Shown(scenario, row),
        MessageMetrics.Loss.Shown(scenario, row));

    // The paper prints no deviation of a loss.
    private static (double? Mean, double? Sd) Published(PublishedShare? share) => (share?.Loss, null);

    private static (double? Mean, double? Sd) Published(PublishedArm? arm) => (arm?.Mean.Value, arm?.Sd.Value);
}
