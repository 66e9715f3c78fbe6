using PubSubOverWs.Report.Documents;
using PubSubOverWs.Report.Standard.Rows;
using PubSubOverWs.Report.Standard.Sections;
using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Report.Standard.Figures;

/// <summary>The distribution of all messages of a level against the logarithm of 1/(1-p), a drawing for each level.</summary>
internal static class CurveFigure
{
    // The largest latency has no p of its own: it is drawn nearly a decade after the last message, with room for its label.
    private const double Beyond = 8;
    private const double Room = 3;

    /// <param name="rows">At least one; all with a curve.</param>
    public static Figure Draw(
        IReadOnlyList<LatencyRow> rows, Contrast compared, IReadOnlyList<(XElement Mark, string Text)> keys) => new(
        "percentiles",
        "Percentiles of latency",
        "All messages of a level, from the merged histograms of its iterations, drawn over log(1/(1-p)). Marks with 95 % intervals "
            + "(bootstrap over iterations) are at p50, p90, p99 and p99.9 if ten or more messages are above them; the curve continues to "
            + "the last message. The separate hollow mark is the largest latency.",
        keys,
        [.. rows.GroupBy(row => row.Users).Select(level => Drawing(level, compared))],
        [
            new FigureTable("Percentiles over all messages (ms)", CurveSection.Columns, [.. rows.Select(CurveSection.Row)]),
            new FigureTable("Percentile curves (ms)", ["users", "arm", "at most one in this many is slower",
                "ms"], [.. rows.SelectMany(row => row.Curve!.Points.Select(point => (IReadOnlyList<string>)
                [Format.Whole(row.Users), row.Arm, Scale.Label(point.OneIn), Format.Short(point.Ms)]))]),
        ]);

    private static XElement Drawing(IGrouping<int, LatencyRow> level, Contrast compared)
    {
        var last = level.Max(row => Math.Max(row.Curve!.Points[^1].OneIn, 2));
        var decades = Enumerable.Range(1, 12).Select(power => Math.Pow(10, power)).TakeWhile(tick => tick <= last);
        var x = new Scale(1, last * Beyond * Room, Axes.Left, Axes.Right, true, [2, .. decades, last * Beyond]);
        var y = Scale.Linear(level.SelectMany(Values), Axes.Bottom, Axes.Top);
        return Svg.Drawing(
            $"percentiles-{Format.Whole(level.Key)}",
            $"Percentiles of latency at {Format.Whole(level.Key)} users",
            string.Join("; ", level.Select(Words)),
            Axes.Height,
            Axes.Draw(x, y, "percentile", $"ms, {Format.Whole(level.Key)} users", tick => tick > last ? "largest" : Label(tick)),
            level.Select(row => Arm(row, Key.StyleOf(row.Arm, compared), x, y, last * Beyond)));
    }

    private static IEnumerable<XElement> Arm(LatencyRow row, string look, Scale x, Scale y, double largestAt)
    {
        yield return Svg.Curve(row.Curve!.Points.Select(point => (x[point.OneIn], y[point.Ms])), $"curve {look}");
        foreach (var one in row.Curve.Percentiles)
        {
            var at = x[100 / (100 - one.Percent)];
            if (one.Ms95 is { } interval)
                yield return Svg.Line(at, y[interval.Low], at, y[interval.High], $"interval {look}");
            yield return Svg.Mark(look, at, y[one.Ms], 3);
        }

        if (row.Max is { } largest)
            yield return Svg.Mark(look, x[largestAt], y[largest], 3.5, "hollow");
    }

    private static IEnumerable<double> Values(LatencyRow row) =>
        [.. row.Curve!.Points.Select(point => point.Ms), .. row.Curve.Percentiles.Select(one => one.Ms95?.High ?? one.Ms), row.Max ?? 0];

    private static string Words(LatencyRow row) =>
        $"{row.Arm}, {Format.Whole(row.Curve!.Messages)} messages: "
            + $"{string.Join(", ", row.Curve.Percentiles.Select(Words).Append($"largest {Format.Short(row.Max)} ms"))}";

    private static string Words(Percentile one) => one.Ms95 is null
        ? $"{one.Name} {Format.Short(one.Ms)} ms"
        : $"{one.Name} {Format.Short(one.Ms)} ms ({Format.Range(one.Ms95, Format.Short)})";

    private static string Label(double oneIn) => $"p{Scale.Label(Math.Round(100 - (100 / oneIn), 9))}";
}
