using PubSubOverWs.Experiment.Claims;
using PubSubOverWs.Experiment.Documents;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.Experiment.Reports.Rows;

namespace PubSubOverWs.Experiment.Reports.Sections;

/// <summary>What the set-up can resolve: of an A/A run its own finding, of any other run the A/A runs that it is held against.</summary>
internal static class NoiseSection
{
    public static void Write(IReportText text, ReportModel model)
    {
        if (model.AgainstItself is { } found)
            Found(text, model, found);
        else if (model.NoiseFloor is { } noise)
            Sources(text, noise);
    }

    /// <summary>In one sentence, for the head of the report.</summary>
    public static string Sentence(SelfComparison found) => found.Tests == 0
        ? $"Two separately started instances of the {found.Server} server were alike or had too few iterations: nothing could be tested, "
            + "and the set-up does not pass."
        : $"Two separately started instances of the {found.Server} server: {Format.Whole(found.Rejections)} of {Format.Whole(found.Tests)} "
            + $"tests reject at 0.05, and up to {Format.Whole(found.MostRejections)} are chance, "
        + $"so the set-up {(found.Passes ? "passes" : "FAILS, and nothing found on it may be called reproduced")}.";

    /// <summary>
    /// Such as <c>8.1 % in mean latency, 0.00 % in bytes to clients per delivered message and 0.00 percentage points in loss</c>.
    /// </summary>
    public static string Floor(double? loss, double? latency, double? bytes) =>
        $"{Format.Percent(latency, 1)} in mean latency, {Format.Percent(bytes, 2)} in bytes to clients per delivered message and "
            + $"{Format.Fixed(loss, 2)} percentage points in loss";

    private static void Found(IReportText text, ReportModel model, SelfComparison found)
    {
        var (first, second) = model.Compared;
        text.Heading(2, "The noise floor");
        text.Paragraph(
            $"{Sentence(found)} p is Welch's, not corrected: the criterion counts rejections, and lets chance have as many as happen in "
                + "one good set-up of a hundred. Arms of the same mean and variance (\"alike\") cannot be rejected, and are no test.");
        text.Table(
            ["users", "n", $"{first}, ms", $"{second}, ms", "R of latency, 95 %", "resolved from", "detectable from", "p latency",
                "R of bytes", "p bytes", "p loss"],
            model.Latency.Rows.Select((row, i) => (IReadOnlyList<string>)
            [
                Format.Whole(row.Measured.Users),
                Format.Whole(row.Measured.Count),
                Format.MeanSd(row.Measured.First),
                Format.MeanSd(row.Measured.Second),
                Format.Range(row.Measured.Judged.Ratio95, Format.Ratio),
                Format.Percent(model.Resolved![i].Latency, 1),
                Format.Percent(model.Resolved[i].Detectable, 1),
                Format.P(row.Measured.Iterations.Test?.P),
                Format.Ratio(model.Bytes.Rows[i].Measured.Ratio),
                P(model.Bytes.Rows[i]),
                P(model.Loss.Rows[i]),
            ]));
        text.Paragraph($"R is {second}/{first}. Its interval is of block means where there are five blocks. \"Resolved from\" is half "
            + "the width of R's interval: a smaller difference of mean latencies is not told from none. \"Detectable from\" is what the "
            + "test finds four times in five, before Holm's correction. "
            + $"The noise floor, the largest |R - 1|, is {Floor(found.Loss, found.Latency, found.Bytes)}.");
    }

    private static void Sources(IReportText text, NoiseFloor noise)
    {
        text.Heading(2, "The noise floor");
        text.Paragraph($"Two separately started instances of one server differed by up to "
            + $"{Floor(noise.Loss, noise.Latency, noise.Bytes)}: no smaller effect is called reproduced."
            + (noise.Passes ? "" : " The set-up FAILED its A/A run: nothing is called reproduced."));
        text.Table(
            ["A/A run", "server", "started", "commit", "tests", "rejected at 0.05", "at most by chance", "|R - 1| of latency",
                "|R - 1| of bytes", "loss, points"],
            noise.Sources.Select(source => (IReadOnlyList<string>)
            [
                source.Run,
                source.Found.Server,
                Format.Utc(source.Started),
                source.Commit is { Length: > 10 } commit ? commit[..10] : source.Commit ?? "not known",
                Format.Whole(source.Found.Tests),
                Format.Whole(source.Found.Rejections),
                Format.Whole(source.Found.MostRejections),
                Format.Percent(source.Found.Latency, 1),
                Format.Percent(source.Found.Bytes, 2),
                Format.Fixed(source.Found.Loss, 2),
            ]));
    }

    private static string P(MetricRow row) =>
        AgainstItselfJudge.IsAlike(row.Measured) ? "alike" : Format.P(row.Measured.Iterations.Test?.P);
}
