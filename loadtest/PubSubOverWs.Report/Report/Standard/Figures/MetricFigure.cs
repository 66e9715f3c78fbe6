using PubSubOverWs.Report.Documents;
using PubSubOverWs.Report.Metrics;
using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Report.Standard.Figures;

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
        Format.MeanSd(Moments.Of([.. readings.Select(reading => reading.Value)]));
}
