using PubSubOverWs.Report.Documents;
using PubSubOverWs.Report.Metrics;
using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Report.Standard.Figures;

/// <summary>The p99 latency against the rate, a mark for each iteration; hollow where the rate was not held.</summary>
internal static class KneeFigure
{
    /// <summary>Null: no iteration has a p99.</summary>
    public static Figure? Draw(RunFolder folder, KneeRule rule)
    {
        var scenario = folder.Run.Scenario;
        Point[] points =
        [
            .. from arm in scenario.ShownArms
               from row in folder.Rows
               where row.Counts && row.Arm == arm && row is { Latency.P99: not null, Level.Rate: not null }
               let beside = string.Join(", ", row.Level.Settings.Where(setting => !setting.Factor.IsRate))
               select new Point(
                   beside, arm, row.Level.Rate!.Value, row.Latency.P99!.Value / 1000, rule.Holds(row, rule.Limits[0])),
        ];
        if (points.Length == 0)
            return null;
        var rate = scenario.Factors.First(factor => factor.IsRate);
        return new Figure(
            "knee",
            "Knee: p99 latency against the rate",
            $"Each mark is an iteration, hollow where the rate was not held by {rule.Limits[0]}; curves join the medians. Horizontal lines "
                + "are the limits. Both axes are logarithmic. Latencies are those of messages that arrived in time.",
            [
                .. Key.Both(scenario.Compared), .. Key.Others(scenario.ShownArms, scenario.Compared),
                .. Key.Both(scenario.Compared, ", not held", "hollow"),
            ],
            [.. points.GroupBy(point => point.Beside).Select((beside, i) => Drawing(scenario, rule, rate, beside, i))],
            [
                new FigureTable(
                    "p99 latency of each iteration (ms)", ["level", "arm", rate.Words, "p99", "held"],
                    [.. points.Select(point => (IReadOnlyList<string>)
                        [point.Beside, point.Arm, Format.Whole(point.Rate), Format.Short(point.Ms), point.IsHeld ? "yes" : "no"])]),
            ]);
    }

    private static XElement Drawing(Scenario scenario, KneeRule rule, Factor rate, IGrouping<string, Point> beside, int number)
    {
        int[] rates = [.. beside.Select(point => point.Rate).Distinct().Order()];
        var limits = rule.Limits.Select(limit => limit.P99.TotalMilliseconds).ToArray();
        var x = Scale.Levels(rates, Axes.Left, Axes.Right);
        var y = Scale.Decades(beside.Select(point => point.Ms).Concat(limits), Axes.Bottom, Axes.Top);
        var title = $"p99 latency against the rate{(beside.Key.Length == 0 ? "" : $", {beside.Key}")}";
        return Svg.Drawing(
            Invariant($"knee-{number + 1}"), title, string.Join("; ", beside.GroupBy(point => point.Arm).Select(Words)), Axes.Height,
            Axes.Draw(x, y, rate.Words, "ms"),
            limits.Select(limit => Svg.Line(Axes.Left, y[limit], Axes.Right, y[limit], "axis")),
            beside.GroupBy(point => point.Arm).Select(arm => ArmMarks(arm, Key.StyleOf(arm.Key, scenario.Compared), x, y)));
    }

    // Arms are drawn a little apart, so that neither hides the other.
    private static IEnumerable<XElement> ArmMarks(IGrouping<string, Point> arm, string style, Scale x, Scale y)
    {
        var aside = style == ArmStyle.First ? -3 : style == ArmStyle.Second ? 3 : 0;
        yield return Svg.Curve(
            arm.GroupBy(point => point.Rate).OrderBy(rate => rate.Key).Select(rate => (x[rate.Key] + aside, y[MedianOf(rate)])),
            $"curve {style}");
        foreach (var point in arm)
            yield return Svg.Mark(style, x[point.Rate] + aside, y[point.Ms], 3.5, point.IsHeld ? "" : "hollow");
    }

    private static string Words(IGrouping<string, Point> arm) => $"{arm.Key}: " + string.Join(", ",
        arm.GroupBy(point => point.Rate).OrderBy(rate => rate.Key)
            .Select(rate => $"{Format.Short(MedianOf(rate))} ms at {Format.Whole(rate.Key)}"));

    private static double MedianOf(IEnumerable<Point> points) => Median.Compute(points.Select(point => (double?)point.Ms))!.Value;

    private sealed record Point(string Beside, string Arm, int Rate, double Ms, bool IsHeld);
}
