using PubSubOverWs.Report.Documents;
using PubSubOverWs.Report.Standard.Rows;

namespace PubSubOverWs.Report.Standard.Figures;

/// <summary>A mark for each measured iteration, in the order in which they ran; a drawing for each level.</summary>
internal static class IterationFigure
{
    /// <param name="points">At least one besides warm-up and floor, which are not drawn.</param>
    public static Figure Draw(IReadOnlyList<IterationPoint> points, Contrast compared)
    {
        var levels = points.Where(point => !point.WarmUp && point.Arm != Arm.Floor.Name).GroupBy(point => point.Users)
            .OrderBy(level => level.Key).ToArray();
        return new Figure(
            "iterations",
            "Every iteration",
            "Each mark is the mean latency of one iteration, from left to right in the order in which they ran; a line marks a new start "
                + "of servers and queue. If a level has losses, they are drawn as well.",
            [.. Key.Both(compared), .. Key.Others(levels.SelectMany(level => level.Select(point => point.Arm)), compared)],
            [.. levels.SelectMany(level => Drawings(level, compared))],
            [new FigureTable(
                "Every iteration",
                ["users", "block", "iteration", $"{compared.First}, ms", $"{compared.Second}, ms", $"{compared.First} lost, %",
                    $"{compared.Second} lost, %"], [.. levels.SelectMany(level => Rows(level, compared))])]);
    }

    private static IEnumerable<XElement> Drawings(IGrouping<int, IterationPoint> level, Contrast compared)
    {
        yield return Drawing($"iterations-{level.Key}", "Mean latency", "ms", level, compared, point => point.LatencyMs);
        if (level.Any(point => point.LossPercent > 0))
            yield return Drawing($"iterations-{level.Key}-loss", "Loss", "%", level, compared, point => point.LossPercent);
    }

    private static XElement Drawing(
        string id, string metric, string unit, IGrouping<int, IterationPoint> level, Contrast compared,
        Func<IterationPoint, double?> value)
    {
        var iterations = level.Select(point => (point.Iteration, point.Block)).Distinct().Order().ToArray();
        var places = iterations.Select((one, i) => (one.Iteration, Place: i + 1.0)).ToDictionary(one => one.Iteration, one => one.Place);
        var known = level.Where(point => value(point) is not null).ToArray();
        var y = Scale.Linear(known.Select(point => value(point)!.Value), Axes.Bottom, Axes.Top);
        var x = new Scale(0, iterations.Length + 1, Axes.Left, Axes.Right, false, []);
        return Svg.Drawing(
            id, $"{metric} of every iteration at {level.Key} users",
            string.Join("; ", known.GroupBy(point => point.Arm).OrderBy(arm => arm.Key, StringComparer.Ordinal).Select(arm =>
                $"{arm.Key}: {arm.Count()} iterations from {Format.Short(arm.Min(value))} to {Format.Short(arm.Max(value))} {unit}")),
            Axes.Height,
            Axes.Draw(x, y, "iterations in the order in which they ran", $"{unit}, {level.Key} users"),
            iterations.Zip(iterations.Skip(1)).Where(pair => pair.First.Block != pair.Second.Block)
                .Select(pair => x[places[pair.Second.Iteration] - 0.5]).Select(at => Svg.Line(at, Axes.Top, at, Axes.Bottom, "border")),
            known.Select(point => Svg.Mark(Key.StyleOf(point.Arm, compared), x[places[point.Iteration]], y[value(point)!.Value], 2.6)));
    }

    private static IEnumerable<IReadOnlyList<string>> Rows(IGrouping<int, IterationPoint> level, Contrast compared) =>
        level.GroupBy(point => (point.Iteration, point.Block)).OrderBy(pair => pair.Key).Select(pair =>
        {
            var first = pair.FirstOrDefault(point => point.Arm == compared.First);
            var second = pair.FirstOrDefault(point => point.Arm == compared.Second);
            return (IReadOnlyList<string>)
            [
                Format.Whole(level.Key), Format.Whole(pair.Key.Block), Format.Whole(pair.Key.Iteration),
                .. new[] { first?.LatencyMs, second?.LatencyMs, first?.LossPercent, second?.LossPercent }.Select(Format.Short),
            ];
        });
}
