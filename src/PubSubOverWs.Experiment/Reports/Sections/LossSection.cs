using PubSubOverWs.Experiment.Accounting;
using PubSubOverWs.Experiment.Documents;
using PubSubOverWs.Experiment.Formats;
using PubSubOverWs.Experiment.Reports.Rows;

namespace PubSubOverWs.Experiment.Reports.Sections;

/// <summary>Where the messages ended, and why those that were lost were lost.</summary>
internal static class LossSection
{
    private const int MostEvents = 20;

    public static void Write(IReportText text, ReportModel model)
    {
        text.Heading(2, "Where the messages ended");
        text.Table(
            ["users", "arm", "n", "attempts", "delivered", "late", "refused", "dead-lettered", "still queued", "lost, acknowledged",
                "lost, unacknowledged", "duplicates", "reorderings", "unexpected", "corrupted"],
            model.Losses.Select(Buckets));
        var lossy = model.Losses.Where(row => row.Buckets.Lost > 0).ToArray();
        if (lossy.Length > 0)
        {
            text.Paragraph("Why messages were lost, as the client saw it, and what the server says it dropped:");
            text.Table(
                ["users", "arm", "lost", "causes", "dropped by the server", "iterations with loss", "dispersion",
                    "loss of a message, 95 %"],
                lossy.Select(Explained));
            text.Paragraph("Dispersion is variance/mean of the losses over iterations. " + (model.Scenario.IsDemonstration
                ? "A fault takes messages together, however evenly over the iterations, and an interval on messages would be too narrow: "
                    + "it is left out."
                : "Above 1.5 losses come together, and an interval on messages would be too narrow: it is left out."));
        }

        text.Paragraph($"Bounds on iterations, exact, two-sided 95 %: {Bounds(model)}.");
        text.Paragraph(Guarantee(model));
        Events(text, model);
    }

    private static void Events(IReportText text, ReportModel model)
    {
        // Deeds of a fault are counted where it is told, and would leave no room for what nobody ordered.
        var unordered = model.Events.Where(one => !one.IsOrdered).ToArray();
        if (unordered.Length == 0)
            return;
        text.Paragraph("What happened beside the starting and stopping of processes (all of it is in report.json):");
        text.List(unordered.Take(MostEvents)
            .Select(one => $"{Format.Fixed(one.At.TotalSeconds, 1)} s, {one.Kind}, {one.Target}: {one.Detail}"));
    }

    /// <summary>For example <c>deadline 12, shed 3</c>.</summary>
    public static string Causes(CauseCounts causes) => string.Join(", ",
        Enum.GetValues<Cause>().Where(cause => causes[cause] > 0).Select(cause => $"{Kebab.Of(cause)} {causes[cause]}"));

    private static string Bounds(ReportModel model) => model.Losses.Count == 0
        ? "nothing was measured"
        : string.Join("; ", model.Losses.GroupBy(row => (row.Arm, row.WithLoss, row.Iterations)).Select(group =>
            $"{group.Key.Arm} at {string.Join(", ", group.Select(row => Format.Whole(row.Users)))} lost something in {group.Key.WithLoss} "
                + $"of {group.Key.Iterations}, "
            + (group.Key.WithLoss == 0
                ? $"so in at most {Format.Percent(group.First().WithLossShare?.High, 1)} of iterations"
                : $"so in {Format.Percent(group.First().WithLossShare?.Low, 1)} to "
                    + $"{Format.Percent(group.First().WithLossShare?.High, 1)}")));

    private static string Guarantee(ReportModel model)
    {
        var arms = model.Losses.GroupBy(row => row.Arm)
            .Select(arm => (Name: arm.Key, Sum: arm.Aggregate(new Buckets { Attempts = 0 }, (sum, row) => sum.Add(row.Buckets)))).ToArray();
        var rates = arms.Select(arm => arm.Sum.GuaranteeLoss is { } rate
            ? $"{arm.Name} {arm.Sum.LostAcknowledged} of {arm.Sum.Acknowledged} "
                + $"({Format.Percent(rate, 4)}"
                + (model.Losses.Any(row => row.Arm == arm.Name && row.NotDrained > 0)
                    ? ", not claimed: the queue was not shown to be empty)"
                    : ")")
            : $"{arm.Name} undefined, because no receipt said that a message was taken");
        return $"Guarantee loss (lost after the broker had taken it): {string.Join("; ", rates.DefaultIfEmpty("nothing was measured"))}.";
    }

    private static IReadOnlyList<string> Buckets(LossRow row) =>
    [
        Format.Whole(row.Users),
        row.Arm,
        Format.Whole(row.Iterations),
        Format.Whole(row.Buckets.Attempts),
        Format.Whole(row.Buckets.Delivered),
        Format.Whole(row.Buckets.Late),
        Format.Whole(row.Buckets.Refused),
        Format.Whole(row.Buckets.DeadLettered),
        Format.Whole(row.Buckets.StillQueued),
        Format.Whole(row.Buckets.LostAcknowledged),
        Format.Whole(row.Buckets.LostUnacknowledged),
        Format.Whole(row.Anomalies.Duplicates),
        Format.Whole(row.Anomalies.Reorderings),
        Format.Whole(row.Anomalies.Unexpected),
        Format.Whole(row.Anomalies.Corrupted),
    ];

    private static IReadOnlyList<string> Explained(LossRow row) =>
    [
        Format.Whole(row.Users),
        row.Arm,
        Format.Whole(row.Buckets.Lost),
        Causes(row.Buckets.Causes),
        row.Drops switch
        {
            null => Format.None,
            { Total: 0 } => "nothing",
            { } drops => $"no-subscriber {drops.NoSubscriber}, shed {drops.Shed}, closed {drops.Closed}",
        },
        $"{row.WithLoss} of {row.Iterations}",
        Format.Fixed(row.Dispersion, 2),
        Format.Range(row.MessageShare, share => Format.Percent(share, 4)),
    ];
}
