using PubSubOverWs.Report.Documents;
using PubSubOverWs.Report.Standard.Rows;

namespace PubSubOverWs.Report.Standard.Figures;

/// <summary>
/// Latency against the logarithm of 1/(1-p), a drawing for each level: what the slowest of a hundred users see is not squeezed into the
/// last pixel. The whole curve where the record has the distributions, else the iterations' own percentiles.
/// </summary>
internal static class PercentileFigure
{
    // The largest has no p of its own: it is drawn apart, after p99.
    private const double LargestAt = 330;

    private static IReadOnlyList<(XElement Mark, string Text)> Keys(
        IReadOnlyList<LatencyRow> rows, Contrast compared) =>
        [.. Key.Both(compared), .. Key.Others(rows.Select(row => row.Arm), compared), .. Key.Both(compared, ", largest", "hollow")];

    /// <param name="rows">At least one.</param>
    public static Figure Draw(IReadOnlyList<LatencyRow> rows, Contrast compared) =>
        rows.All(row => row.Curve is not null) ? CurveFigure.Draw(rows, compared, Keys(rows, compared)) : Medians(rows, compared);

    private static Figure Medians(IReadOnlyList<LatencyRow> rows, Contrast compared) => new(
        "percentiles",
        "Percentiles of latency",
        "Medians over iterations of each iteration's own percentiles, drawn over log(1/(1-p)), if every iteration has enough samples "
            + "(p50 from 20, p90 from 100, p99 from 1,000). The separate hollow mark is the largest latency.",
        Keys(rows, compared),
        [.. rows.GroupBy(row => row.Users).Select(level => Drawing(level, compared))],
        [new FigureTable("Percentiles of latency (ms)", ["users", "arm", "p50", "p90", "p99",
            "max"], [.. rows.Select(row => (IReadOnlyList<string>)
            [Format.Whole(row.Users), row.Arm, Format.Short(row.P50), Format.Short(row.P90), Format.Short(row.P99),
                Format.Short(row.Max)])])]);

    private static XElement Drawing(IGrouping<int, LatencyRow> level, Contrast compared)
    {
        var x = new Scale(1.6, 450, Axes.Left, Axes.Right, true, [2, 10, 100, LargestAt]);
        var y = Scale.Linear(level.SelectMany(row => new[] { row.P50, row.P90, row.P99, row.Max }).OfType<double>(), Axes.Bottom, Axes.Top);
        return Svg.Drawing(
            $"percentiles-{Format.Whole(level.Key)}",
            $"Percentiles of latency at {Format.Whole(level.Key)} users",
            string.Join(
                "; ",
                level.Select(row =>
                    $"{row.Arm}: {string.Join(", ", Known(row).Select(one => $"p{Scale.Label(100 - (100 / one.X))} "
                        + $"{Format.Short(one.Value)} ms").Append($"largest {Format.Short(row.Max)} ms"))}")),
            Axes.Height,
            Axes.Draw(x, y, "percentile", $"ms, {Format.Whole(level.Key)} users", Label),
            level.Select(row => Arm(row, Key.StyleOf(row.Arm, compared), x, y)));
    }

    private static IEnumerable<XElement> Arm(LatencyRow row, string look, Scale x, Scale y)
    {
        var known = Known(row).ToArray();
        yield return Svg.Curve(known.Select(one => (x[one.X], y[one.Value])), $"curve {look}");
        foreach (var one in known)
            yield return Svg.Mark(look, x[one.X], y[one.Value], 3.5);
        if (row.Max is { } largest)
            yield return Svg.Mark(look, x[LargestAt], y[largest], 3.5, "hollow");
    }

    private static IEnumerable<(double X, double Value)> Known(LatencyRow row)
    {
        if (row.P50 is { } p50)
            yield return (2, p50);
        if (row.P90 is { } p90)
            yield return (10, p90);
        if (row.P99 is { } p99)
            yield return (100, p99);
    }

    private static string Label(double tick) => tick switch { 2 => "p50", 10 => "p90", 100 => "p99", _ => "largest" };
}
