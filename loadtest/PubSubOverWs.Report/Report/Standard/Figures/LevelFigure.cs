using PubSubOverWs.Report.Documents;
using PubSubOverWs.Report.Metrics;
using PubSubOverWs.Report.Standard.Rows;
using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Report.Standard.Figures;

/// <summary>A metric against the number of users, both arms with intervals, beside the published values.</summary>
/// <param name="id">Unique in the page.</param>
/// <param name="metric">Such as <c>Mean latency</c>.</param>
/// <param name="unit">Of every value.</param>
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

/// <summary>A metric at every level of a run, a mark for each iteration of both arms of a contrast.</summary>
internal static class MetricFigure
{
    /// <summary>Null: there is no reading.</summary>
    public static Figure? Draw(RunFolder folder, Metric metric, Contrast compared)
    {
        var levels = MetricReadings.Read(folder, metric, compared);
        var values = levels.SelectMany(level => level.First.Concat(level.Second)).Select(reading => reading.Value).ToArray();
        if (values.Length == 0)
            return null;
        var one = folder.Run.Scenario.Contrasts.Count == 1;
        var id = string.Concat(
            (one ? metric.Name : $"{metric.Name}-{compared.First}-{compared.Second}")
                .Select(letter => char.IsAsciiLetterOrDigit(letter) ? letter : '-'));
        var title = $"{metric.Name} by level{(one ? "" : $", {compared}")}";
        var x = new Scale(0.5, levels.Count + 0.5, Axes.Left, Axes.Right, IsLog: false, [.. levels.Select((_, i) => i + 1.0)]);
        var isLog = values.All(value => value > 0) && values.Max() > 20 * values.Min();
        var y = isLog ? Scale.Decades(values, Axes.Bottom, Axes.Top) : Scale.Linear(values, Axes.Bottom, Axes.Top);
        return new Figure(
            id,
            title,
            $"Each mark is an iteration{(isLog ? "; the metric is drawn on a logarithmic scale" : "")}. "
                + $"Levels are {string.Join("-", folder.Run.Scenario.Factors.Select(factor => factor.Name))}.",
            Key.Both(compared),
            [
                Svg.Drawing(
                    $"{id}-drawing", title, string.Join("; ", levels.Select(level => Words(level, compared))), Axes.Height,
                    Axes.Draw(
                        x, y, string.Join(" x ", folder.Run.Scenario.Factors.Select(factor => factor.Name)), metric.Unit.Text,
                        tick => levels[(int)tick - 1].Level.Key),
                    levels.SelectMany((level, i) => Marks(ArmStyle.First, level.First, x[i + 1] - 5, y)
                        .Concat(Marks(ArmStyle.Second, level.Second, x[i + 1] + 5, y)))),
            ],
            [
                new FigureTable(
                    $"{metric.Name} ({metric.Unit.Text})", ["level", compared.First, compared.Second],
                    [.. levels.Select(level => (IReadOnlyList<string>)[level.Level.ToString(), Mean(level.First), Mean(level.Second)])]),
            ]);
    }

    private static IEnumerable<XElement> Marks(string style, IReadOnlyList<Reading> readings, double at, Scale y) =>
        readings.Select(reading => Svg.Mark(style, at, y[reading.Value], 3));

    private static string Words(LevelReadings level, Contrast compared) =>
        $"{level.Level}: {compared.First} {Mean(level.First)}, {compared.Second} {Mean(level.Second)}";

    private static string Mean(IReadOnlyList<Reading> readings) =>
        Format.MeanSd(Moments.Compute([.. readings.Select(reading => reading.Value)]));
}

/// <summary>Samples of marks for the legend of a figure, each 16 wide and 12 high.</summary>
internal static class Key
{
    // Units of a drawing, with text of 11 px in a wide system font (DejaVu Sans: 6.4 for the arms of the experiments).
    private const double OfLetter = 6.6;

    /// <summary>Both arms, by their names.</summary>
    public static IReadOnlyList<(XElement Mark, string Text)> Both(
        Contrast compared, string text = "", string style = "") =>
        [From(ArmStyle.First, compared.First + text, style), From(ArmStyle.Second, compared.Second + text, style)];

    /// <summary>The other arms.</summary>
    public static IReadOnlyList<(XElement Mark, string Text)> Others(IEnumerable<string> arms, Contrast compared) =>
        [.. arms.Distinct().Where(arm => arm != compared.First && arm != compared.Second && arm != Arm.Floor.Name)
            .Select(arm => From(StyleOf(arm, compared), arm))];

    /// <summary>The style of an arm: the first and the second of those compared look the same in every report.</summary>
    public static string StyleOf(string arm, Contrast compared) =>
        arm == compared.First ? ArmStyle.First : arm == compared.Second ? ArmStyle.Second : ArmStyle.Other;

    /// <summary>Where bars begin that have these texts at their left, 6 units away: so far that none is cut.</summary>
    /// <param name="least">As far as for short ones.</param>
    public static double LeftOf(IEnumerable<string> texts, double least) =>
        Math.Max(least, 6 + (OfLetter * texts.Max(text => text.Length)));

    public static (XElement Mark, string Text) From(string kind, string text, string style = "") => (Svg.Mark(kind, 8, 6, 4, style), text);

    public static (XElement Mark, string Text) Box(string style, string text) => (Svg.Rectangle(0, 0, 16, 12, style), text);
}
