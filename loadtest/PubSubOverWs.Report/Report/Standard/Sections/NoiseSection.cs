using PubSubOverWs.Report.Claims;
using PubSubOverWs.Report.Documents;
using PubSubOverWs.Report.Metrics;
using PubSubOverWs.Report.Standard.Rows;

namespace PubSubOverWs.Report.Standard.Sections;

/// <summary>The resolution of the set-up: an A/A run's own finding, or the A/A runs with which another run is compared.</summary>
internal static class NoiseSection
{
    /// <summary>In one sentence, for the head of the report.</summary>
    public static string Sentence(SelfComparison found) => found.Tests == 0
        ? $"Two separately started instances of the {found.Server} server were identical or had too few iterations: nothing could be "
            + "tested, so the set-up does not pass."
        : $"Two separately started instances of the {found.Server} server: {Format.Whole(found.Rejections)} of {Format.Whole(found.Tests)} "
            + $"tests reject at 0.05, and chance explains up to {Format.Whole(found.MostRejections)}, "
        + $"so the set-up {(found.Passes ? "passes" : "FAILS, and none of its results may be called reproduced")}.";

    /// <summary>
    /// Such as <c>1.81 times in mean latency, 1.000 times in bytes to clients per delivered message and 0.00 percentage points in
    /// loss</c>.
    /// </summary>
    public static string Floor(double? loss, double? latency, double? bytes) =>
        $"{Times(latency)} in mean latency, {Times(bytes)} in bytes to clients per delivered message and "
            + (loss is null ? "an unknown amount in loss" : $"{Format.Fixed(loss, 2)} percentage points in loss");

    /// <summary>For an A/A run: its finding.</summary>
    /// <param name="found">Over all levels.</param>
    /// <param name="levels">Each with the comparisons of its metrics and its resolution.</param>
    public static IEnumerable<Block> Found(
        SelfComparison found, Contrast compared,
        IEnumerable<(Comparison Latency, Comparison Bytes, Comparison Loss, Resolution Resolved)> levels)
    {
        var (first, second) = compared;
        yield return new Heading(2, "The noise floor");
        yield return new Paragraph(
            $"{Sentence(found)} p is of Welch's test, not corrected: the criterion counts rejections, and allows as many as occur in one "
                + "of a hundred good set-ups. Arms with the same mean and variance (\"alike\") cannot be rejected "
                + "and do not count as a test.");
        yield return Table.From(
            levels,
            ("users", row => Format.Whole(row.Latency.Users)),
            ("n", row => Format.Whole(row.Latency.Count)),
            ($"{first}, ms", row => Format.MeanSd(row.Latency.First)),
            ($"{second}, ms", row => Format.MeanSd(row.Latency.Second)),
            ("R of latency, 95 %", row => Format.Range(row.Latency.Judged.Ratio95, Format.Ratio)),
            ("resolved from", row => Format.Percent(row.Resolved.Latency, 1)),
            ("detectable from", row => Format.Percent(row.Resolved.Detectable, 1)),
            ("p latency", row => Format.P(row.Latency.Iterations.Test?.P)),
            ("R of bytes", row => Format.Ratio(row.Bytes.Ratio)),
            ("p bytes", row => P(row.Bytes)),
            ("p loss", row => P(row.Loss)));
        yield return new Paragraph(
            $"R is {second}/{first}. Its interval is of block means if there are five blocks. \"Resolved from\" is half the width of R's "
            + "interval: smaller differences of mean latencies are not resolved. \"Detectable from\" is the difference that the test "
            + "detects with a power of 80 %, before Holm's correction. "
            + "The noise floor is what the 95 % intervals do not exclude, at the level where they reach farthest from R = 1, up or down: "
            + $"{Floor(found.Loss, found.Latency, found.Bytes)}.");
    }

    /// <summary>For any other run: its A/A runs.</summary>
    public static IEnumerable<Block> Sources(NoiseFloor noise)
    {
        yield return new Heading(2, "The noise floor");
        yield return new Paragraph($"Two separately started instances of one server may differ by up to "
            + $"{Floor(noise.Loss, noise.Latency, noise.Bytes)}: no smaller effect is called reproduced, and none where that is not known."
            + (noise.Passes ? "" : " The set-up FAILED its A/A run: nothing is called reproduced."));
        yield return Table.From(
            noise.Sources,
            ("A/A run", source => source.Run),
            ("server", source => source.Found.Server),
            ("started", source => Format.Utc(source.Started)),
            ("commit", source => source.Commit is { Length: > 10 } commit ? commit[..10] : source.Commit ?? "not known"),
            ("tests", source => Format.Whole(source.Found.Tests)),
            ("rejected at 0.05", source => Format.Whole(source.Found.Rejections)),
            ("at most by chance", source => Format.Whole(source.Found.MostRejections)),
            ("R of latency, up to", source => Format.Ratio(source.Found.Latency)),
            ("R of bytes, up to", source => Format.Ratio(source.Found.Bytes)),
            ("loss, points", source => Format.Fixed(source.Found.Loss, 2)));
    }

    private static string Times(double? factor) => factor is null ? "an unknown factor" : $"{Format.Ratio(factor)} times";

    private static string P(Comparison row) => AgainstItselfJudge.IsAlike(row) ? "alike" : Format.P(row.Iterations.Test?.P);
}
