using PubSubOverWs.Experiment.Published;

namespace PubSubOverWs.Experiment.Reports;

/// <summary>What must be known of the paper to read the tables.</summary>
internal static class PaperSection
{
    private static readonly string[] Notes =
    [
        "Table I, 500 users, direct: 99.24 % + 0.74 % is not 100 %. Table III's caption says data loss; its content is latency. "
            + "Table II, pubsub at 5000: 49 with a deviation of 1.73 cannot come from 30 whole numbers with the n - 1 deviation.",
        "The spread of the published losses is 0.02 to 0.46 of what independent random loss would give: something capped them, they were not random drops.",
        "At 50 and 100 users latency is \"not significant\" although it differs by more (3.2 %, 1.9 %) than from 1000 users on (1.5 to 1.7 %): the power was below 50 %. That is low power, not absence.",
        "H3 is almost H1: the ratio of delivered messages (1.0077, 1.0115, 1.0501, 1.0811 from 500 to 10000 users) predicts the ratio of bandwidths "
            + "(1.0074, 1.0080, 1.0414, 1.0820). Per delivered message the published increase vanishes, and traffic to the queue cannot be in it.",
        "Published latency and bandwidth do not fit a simultaneous burst (1 to 3 bytes per message over a window of the mean latency), so the load must have been spread over seconds. Absolute ms and Kbps are therefore not testable; signs and ratios are.",
        "The paper gives no cause for its losses. Its server ran IIS 8, which by default takes 5,000 concurrent requests per application, with 1 GB of memory. A server that lacks that cause need not lose anything.",
    ];

    public static void Write(IReportText text, ReportModel model)
    {
        text.Heading(2, "Notes on the paper");
        text.Paragraph(model.Citation);
        text.List(Notes);
        text.Paragraph(Recomputed(model.Paper));
        text.Table(
            ["table, users", "p published", "p pooled", "attainable", "p Welch", "attainable", "R"],
            model.Paper.Select(row => (IReadOnlyList<string>)
            [
                $"{row.Table}, {Show.Whole(row.Row.Users)}",
                row.Row.P?.Text ?? row.Row.PText ?? Show.None,
                Show.P(row.Pooled),
                YesNo(row.PooledAttainable),
                Show.P(row.Welch),
                YesNo(row.WelchAttainable),
                Show.Ratio(row.Row.Ratio),
            ]));
    }

    private static string Recomputed(IReadOnlyList<PaperCheck> rows)
    {
        var printed = rows.Where(row => row.Row.P is not null).ToArray();
        return "The published p-values, recomputed from the printed means and deviations, n = 30. Attainable: it can come out of values that round to the printed ones. "
            + $"Student's pooled test attains {printed.Count(row => row.PooledAttainable == true)} of {printed.Length} printed p-values, "
            + $"Welch's {printed.Count(row => row.WelchAttainable == true)}; "
            + $"{Neither(printed)} by neither. Welch's test changes none of the decisions at 0.05.";
    }

    private static string Neither(IEnumerable<PaperCheck> rows)
    {
        var none = rows.Where(row => row.PooledAttainable == false && row.WelchAttainable == false).Select(row => $"Table {row.Table} at {row.Row.Users} is attained").ToArray();
        return none.Length == 0 ? "none is attained" : string.Join(", ", none);
    }

    private static string YesNo(bool? value) => value switch { true => "yes", false => "no", null => Show.None };
}
