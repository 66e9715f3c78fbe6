using PubSubOverWs.Report.Documents;
using PubSubOverWs.Report.Standard.Rows;

namespace PubSubOverWs.Report.Standard.Figures;

/// <summary>A metric against the number of users, both arms with intervals, beside the published values.</summary>
/// <param name="compared">The arms.</param>
/// <param name="id">Unique in the page.</param>
/// <param name="metric">Such as <c>Mean latency</c>.</param>
/// <param name="unit">Of every value.</param>
/// <param name="isLog">The metric has a logarithmic axis.</param>
internal sealed class LevelFigure(Contrast compared, string id, string metric, string unit, bool isLog)
{
    /// <param name="points">At least one.</param>
    public Figure Draw(IReadOnlyList<ArmPoint> points) => new(
        id, $"{metric} against users",
        $"Means over iterations with 95 % intervals (Student)"
            + $"{(points.Any(point => point.PublishedMean is not null) ? "; published values are hollow" : "")}. "
            + $"The number of users is drawn on a logarithmic scale{(isLog ? ", and so is the metric" : "")}.",
        [.. Key.Both(compared), .. points.Any(point => point.PublishedMean is not null) ? Key.Both(compared, ", published", "hollow") : []],
        [Drawing(points)], [Table(points)]);

    private XElement Drawing(IReadOnlyList<ArmPoint> points)
    {
        var x = Scale.Levels([.. points.Select(point => point.Users).Distinct()], Axes.Left, Axes.Right);
        var values = points.SelectMany(point => new[] { point.Mean, point.Mean95?.Low, point.Mean95?.High, point.PublishedMean })
            .OfType<double>();
        var y = isLog ? Scale.Decades(values, Axes.Bottom, Axes.Top) : Scale.Linear(values, Axes.Bottom, Axes.Top);
        return Svg.Drawing(
            $"{id}-drawing", $"{metric} against users", string.Join("; ", points.GroupBy(point => point.Arm).Select(Words)), Axes.Height,
            Axes.Draw(x, y, "users", unit), points.GroupBy(point => point.Arm).Select(arm => Arm(arm, x, y)));
    }

    // Arms are drawn a little apart, so that neither hides the other.
    private IEnumerable<XElement> Arm(IGrouping<string, ArmPoint> arm, Scale x, Scale y)
    {
        var look = Key.StyleOf(arm.Key, compared);
        var aside = look == ArmStyle.First ? -4 : 4;
        yield return Svg.Curve(arm.Select(point => (x[point.Users] + aside, y[point.Mean])), $"curve {look}");
        foreach (var point in arm)
        {
            var at = x[point.Users] + aside;
            if (point.PublishedMean is { } published)
                yield return Svg.Mark(look, at + (2 * aside), y[published], 3.5, "hollow");
            if (point.Mean95 is { } interval)
                yield return Svg.Line(at, y[interval.Low], at, y[interval.High], $"interval {look}");
            yield return Svg.Mark(look, at, y[point.Mean], 3.5);
        }
    }

    private string Words(IGrouping<string, ArmPoint> arm) =>
        $"{arm.Key}: {string.Join(", ", arm.Select(point => $"{Format.Short(point.Mean)} {unit} at {point.Users} users"))}";

    private FigureTable Table(IReadOnlyList<ArmPoint> points) => new(
        $"{metric} ({unit})",
        ["users", "arm", "n", "mean", "sd", "mean, 95 %", "published mean", "published sd"],
        [.. points.Select(point => (IReadOnlyList<string>)
            [$"{point.Users}", point.Arm, $"{point.Count}", Format.Short(point.Mean), Format.Short(point.Sd),
            Format.Range(point.Mean95, Format.Short), Format.Fixed(point.PublishedMean, 2), Format.Fixed(point.PublishedSd, 2)])]);
}
