using PubSubOverWs.Experiment.Verdicts;

namespace PubSubOverWs.Experiment.Reports;

/// <summary>What was found, and what may be made of it.</summary>
internal static class HeadSection
{
    public static void Write(IReportText text, ReportModel model)
    {
        text.Heading(1, Title(model));
        text.Heading(2, "What was found");
        text.List(model.Findings);
        Verdicts(text, model);
        text.Heading(2, "What is judged, and what is only shown");
        Rules(text, model);
    }

    /// <summary>Such as <c>paper (burst), 2026-11-21 20:07:04 UTC</c>; an A/A run says so.</summary>
    public static string Title(ReportModel model)
    {
        var label = model.Progress.Label is { } name ? $" ({name})" : "";
        var itself = model.AgainstItself is { } found ? $", A/A of {found.Server}" : "";
        return $"{model.Scenario.Name}{label}{itself}, {Show.Utc(model.Progress.Started)}";
    }

    public static void Verdicts(IReportText text, ReportModel model) => text.Table(
        ["hypothesis", "claim", "verdict", "by level"],
        model.Hypotheses.Select(one => (IReadOnlyList<string>)[one.Id, one.Claim, $"**{one.Text}**", Levels(one)]));

    public static void Rules(IReportText text, ReportModel model) => text.List(model.AgainstItself is not null
        ? ["n is the number of iterations, never of messages. Both arms are the same program: what differs between them is the set-up's noise. Judged is how often Welch's test rejects, over loss, mean latency and bytes per delivered message at all levels; all else is only shown."]
        : model.Fault is not null
        ? ["n is the number of iterations, never of messages. Judged is whether what was predicted before the run came out, line by line; all else is only shown. Nothing is held against the paper, which breaks nothing.",
            "Losses of a fault come together, so no interval counts messages as independent draws: arms are told apart by a permutation of iterations."]
        :
    [
        "n is the number of iterations, never of messages. Judged are: loss by H1a and H1b (never by a ratio), the ratio of mean latencies (H2), and the ratio of bytes to clients per delivered message (H3).",
        "A verdict needs Welch's test on iterations after Holm's correction over the rows of its table, and must stand with block means and with n_eff (H1a, which compares nothing, needs neither). \"Reproduced\" needs 20 iterations, five blocks and a noise floor as well.",
        "H3 is held against a ratio of 1 with a margin of 0.4 %: per delivered message the published increase vanishes (0.9917 to 1.0058).",
        "Only shown are: every ms and every Kbps as such (the paper's load and averaging window are not published, so absolute values are not testable), egress with the queue's traffic, percentiles, the pooled test, effect sizes.",
    ]);

    private static string Levels(HypothesisVerdict one) => one.Rows.Count == 0
        ? Show.None
        : string.Join("; ", one.Rows.GroupBy(row => (row.Verdict, row.Reason)).Select(group =>
            $"{string.Join(", ", group.Select(row => Show.Whole(row.Users)))}: {VerdictText.Of(group.Key.Verdict)} ({group.Key.Reason})"));
}
