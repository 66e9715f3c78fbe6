using PubSubOverWs.Experiment.Documents;
using PubSubOverWs.Experiment.Formats;
using PubSubOverWs.Experiment.Predictions;
using PubSubOverWs.Experiment.Reports.Rows;

namespace PubSubOverWs.Experiment.Reports.Sections;

/// <summary>What was broken, what had been predicted, and what came of it.</summary>
internal static class FaultSection
{
    public static void Write(IReportText text, ReportModel model)
    {
        if (model.Fault is not { } fault)
            return;
        text.Heading(2, $"The fault: {fault.Profile}");
        text.List(
        [
            fault.Parameters.Count == 0
                ? "Parameters: none."
                : $"Parameters: {string.Join(", ", fault.Parameters.Select(one => $"{one.Key} {one.Value}"))}.",
            $"Mechanism: {fault.Mechanism}",
            $"Prediction, registered before the run: {fault.Prediction}"
                + $"{(fault.Registration is { } registration ? $" ({registration})" : "")}",
            .. fault.Levels.Select(level =>
                $"At {Format.Whole(level.Users)} users: **{level.Outcome.Text}**. H1b (pubsub loses less) {level.PubSubLosesLess.Text}."),
        ]);
        text.Table(
            ["users", "arm", "n", "attempts", "acknowledged", "lost", "end-to-end loss", "lost, acknowledged", "guarantee loss",
                "why lost"],
            fault.Levels.SelectMany(level => level.Arms.Select(arm => Losses(level.Users, arm))));
        text.Table(
            ["users", "arm", "lost", "predicted lost", "lost / predicted", "W'/(C + W')", "duplicates", "republished"],
            fault.Levels.SelectMany(level => level.Arms.Select(arm => Predicted(level.Users, arm))));
        text.Paragraph("Predicted is what an arm that stores nothing loses: each message that was published while its subscriber was "
            + "away, by the windows as they were measured in that arm; of an arm that stores messages it is what storing saved. "
            + "Guarantee loss is of acknowledged messages, and claimed only where the queue was shown to be empty after every iteration.");
        text.Heading(3, "Who was away");
        text.Table(
            ["users", "arm", "deeds", "subscribers away", "mean, ms", "longest, ms", "publishers away", "mean, ms", "never back"],
            fault.Levels.SelectMany(level => level.Arms.Select(arm => Away(level.Users, arm))));
        text.Paragraph(
            "From the loss of the connection until it was subscribed, or as a publisher connected, again. The arms suffered the same "
                + "fault only where these agree within 5 %.");
        text.Heading(3, "The prediction, line by line");
        text.Table(
            ["users", "expected", "outcome", "found"],
            fault.Levels.SelectMany(level => level.Outcome.Findings.Select(one => (IReadOnlyList<string>)
                [Format.Whole(level.Users), one.Expected,
                    one.Word == ExpectationWord.NotAsPredicted ? "**not as predicted**" : Kebab.Of(one.Word).Replace('-', ' '),
                    one.Found])));
    }

    /// <summary>For the head of the report.</summary>
    public static string Sentence(FaultFound fault) => fault.Levels.Count == 0
        ? "Nothing was measured."
        : $"Under the fault {fault.Profile} the outcome is "
            + $"{string.Join("; ", fault.Levels.GroupBy(level => (level.Outcome.Text, level.PubSubLosesLess.Text)).Select(Words))}.";

    private static string Words(IGrouping<(string Outcome, string Less), FaultLevel> levels) =>
        $"{levels.Key.Outcome} at {string.Join(", ", levels.Select(level => Format.Whole(level.Users)))} users, and H1b (pubsub loses "
            + $"less) {levels.Key.Less}";

    private static IReadOnlyList<string> Losses(int users, FaultArm arm) =>
    [
        Format.Whole(users), arm.Arm, Format.Whole(arm.Iterations), Format.Whole(arm.Attempts), Format.Whole(arm.Acknowledged),
        Format.Whole(arm.Lost), Format.Percent(arm.EndToEndLoss, 3), Format.Whole(arm.LostAcknowledged),
        arm.GuaranteeLoss is { } guarantee ? $"{Format.Percent(guarantee, 4)}{(arm.NotDrained == 0 ? "" : " (not claimed)")}" : Format.None,
        arm.Causes.Length == 0 ? Format.None : arm.Causes,
    ];

    private static IReadOnlyList<string> Predicted(int users, FaultArm arm) =>
    [
        Format.Whole(users), arm.Arm, Format.Whole(arm.Lost), arm.PredictedLost is { } predicted ? Format.Whole(predicted) : Format.None,
        Format.Fixed(arm.LostOfPredicted, 3), Format.Percent(arm.ClosedForm, 3), Format.Whole(arm.Duplicates),
        Format.Whole(arm.Republished),
    ];

    private static IReadOnlyList<string> Away(int users, FaultArm arm) =>
    [
        Format.Whole(users), arm.Arm, Format.Whole(arm.Deeds), Format.Whole(arm.SubscriberWindows),
        Format.Fixed(arm.SubscriberAwayMeanMs, 1),
        Format.Fixed(arm.SubscriberAwayMaxMs, 1),
        Format.Whole(arm.PublisherWindows), Format.Fixed(arm.PublisherAwayMeanMs, 1), Format.Whole(arm.NeverBack),
    ];
}
