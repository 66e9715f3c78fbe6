namespace PubSubOverWs.LoadTest.Experiments.Paper.Predictions;

/// <summary>The fault, its prediction and the outcome.</summary>
internal static class FaultSection
{
    public static IEnumerable<Block> Write(FaultFound? found)
    {
        if (found is not { } fault)
            return [];
        (int Users, FaultArm Arm)[] arms = [.. fault.Levels.SelectMany(level => level.Arms.Select(arm => (level.Users, arm)))];
        return [.. Described(fault), .. Lost(arms), .. Offline(arms), .. Expected(fault)];
    }

    private static IEnumerable<Block> Described(FaultFound fault)
    {
        yield return new Heading(2, $"The fault: {fault.Profile}");
        yield return new BulletList(
        [
            fault.Parameters.Count == 0
                ? "Parameters: none."
                : $"Parameters: {string.Join(", ", fault.Parameters.Select(one => $"{one.Key} {one.Value}"))}.",
            $"Mechanism: {fault.Mechanism}",
            $"Prediction, registered before the run: {fault.Prediction}"
                + $"{(fault.Registration is { } registration ? $" ({registration})" : "")}",
            .. fault.Levels.Select(level =>
                $"At {Format.Whole(level.Users)} users: **{level.Outcome.Text}**. H1b (pubsub loses less) {level.PubSubLosesLess.Text}."),
        ], IsVerbatim: true);
    }

    private static IEnumerable<Block> Lost((int Users, FaultArm Arm)[] arms)
    {
        yield return Table.From(
            arms,
            ("users", row => Format.Whole(row.Users)),
            ("arm", row => row.Arm.Arm),
            ("n", row => Format.Whole(row.Arm.Iterations)),
            ("attempts", row => Format.Whole(row.Arm.Attempts)),
            ("acknowledged", row => Format.Whole(row.Arm.Acknowledged)),
            ("lost", row => Format.Whole(row.Arm.Lost)),
            ("end-to-end loss", row => Format.Percent(row.Arm.EndToEndLoss, 3)),
            ("lost, acknowledged", row => Format.Whole(row.Arm.LostAcknowledged)),
            ("guarantee loss", row => row.Arm.GuaranteeLoss is { } guarantee
                ? $"{Format.Percent(guarantee, 4)}{(row.Arm.NotDrained == 0 ? "" : " (not claimed)")}"
                : Format.None),
            ("causes of loss", row => row.Arm.Causes.Length == 0 ? Format.None : row.Arm.Causes));
        yield return Table.From(
            arms,
            ("users", row => Format.Whole(row.Users)),
            ("arm", row => row.Arm.Arm),
            ("lost", row => Format.Whole(row.Arm.Lost)),
            ("predicted lost", row => row.Arm.PredictedLost is { } predicted ? Format.Whole(predicted) : Format.None),
            ("lost / predicted", row => Format.Fixed(row.Arm.LostOfPredicted, 3)),
            ("W'/(C + W')", row => Format.Percent(row.Arm.ClosedForm, 3)),
            ("duplicates", row => Format.Whole(row.Arm.Duplicates)),
            ("republished", row => Format.Whole(row.Arm.Republished)));
        yield return new Paragraph(
            "Predicted is the loss of an arm that stores nothing: the messages published while their subscriber was offline, by the "
            + "measured windows of that arm. For an arm that stores messages it is what storing saved. Guarantee loss is the share of "
            + "acknowledged messages that were lost, claimed only if the queue was shown to be empty after every iteration.");
    }

    private static IEnumerable<Block> Offline((int Users, FaultArm Arm)[] arms)
    {
        yield return new Heading(3, "Time offline");
        yield return Table.From(
            arms,
            ("users", row => Format.Whole(row.Users)),
            ("arm", row => row.Arm.Arm),
            ("fault actions", row => Format.Whole(row.Arm.FaultActions)),
            ("subscribers offline", row => Format.Whole(row.Arm.SubscriberWindows)),
            ("mean, ms", row => Format.Fixed(row.Arm.SubscriberAwayMeanMs, 1)),
            ("longest, ms", row => Format.Fixed(row.Arm.SubscriberAwayMaxMs, 1)),
            ("publishers offline", row => Format.Whole(row.Arm.PublisherWindows)),
            ("mean, ms", row => Format.Fixed(row.Arm.PublisherAwayMeanMs, 1)),
            ("never back", row => Format.Whole(row.Arm.NeverBack)));
        yield return new Paragraph(
            "From the loss of a connection until the client was subscribed again, or a publisher connected. The arms had the same fault "
                + "only if these times agree within 5 %.");
    }

    private static IEnumerable<Block> Expected(FaultFound fault)
    {
        yield return new Heading(3, "The prediction, line by line");
        yield return Table.From(
            fault.Levels.SelectMany(level => level.Outcome.Findings.Select(found => (level.Users, Found: found))),
            ("users", row => Format.Whole(row.Users)),
            ("expected", row => row.Found.Expected),
            ("outcome", row => row.Found.Word == ExpectationWord.NotAsPredicted ? "**not as predicted**" : Words(row.Found.Word)),
            ("found", row => row.Found.Found));
    }

    /// <summary>For the report's findings.</summary>
    public static string Sentence(FaultFound fault) => fault.Levels.Count == 0
        ? "Nothing was measured."
        : $"Under the fault {fault.Profile} the outcome is "
            + $"{string.Join("; ", fault.Levels.GroupBy(level => (level.Outcome.Text, level.PubSubLosesLess.Text)).Select(Words))}.";

    public static string Words(ExpectationWord word) =>
        word == ExpectationWord.NotJudged ? Verdict.TooSmall : Kebab.Text(word).Replace('-', ' ');

    private static string Words(IGrouping<(string Outcome, string Less), FaultLevel> levels) =>
        $"{levels.Key.Outcome} at {string.Join(", ", levels.Select(level => Format.Whole(level.Users)))} users, and H1b (pubsub loses "
            + $"less) {levels.Key.Less}";
}
