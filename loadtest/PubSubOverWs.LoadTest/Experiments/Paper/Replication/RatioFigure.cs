using PubSubOverWs.LoadTest.Experiments.Paper.Published;
using PubSubOverWs.Report.Standard.Figures;

namespace PubSubOverWs.LoadTest.Experiments.Paper.Replication;

/// <summary>The judged value: the ratio of mean latencies with its interval, beside the published one and the noise floor.</summary>
/// <param name="noiseFloor">The factor, 1 or more, by which two instances of one server may differ; null: not measured, or without an
/// end.</param>
internal sealed class RatioFigure(Contrast compared, double? noiseFloor, IReadOnlyList<PaperEffect> paper)
{
    private static readonly double[] Marks = [0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.5, 2, 3, 5, 7, 10, 20, 30,
        50, 100, 200, 500, 1000];

    /// <returns>Null: no row has a ratio.</returns>
    public Figure? Draw(IReadOnlyList<MetricRow> rows)
    {
        var known = rows.Select(row => row.Measured).Where(row => row.Ratio is > 0).ToArray();
        return known.Length == 0 ? null : new Figure(
            "ratio",
            "R, the ratio of mean latencies",
            $"R is {compared.Second}/{compared.First}, on a logarithmic scale, with its 95 % interval: first of "
                + $"{(known.Any(row => row.IsByBlocks) ? "block means, which are judged, then of iterations" : "iterations, since there "
                    + "are fewer than five blocks")}. "
                + "Unbounded intervals are omitted. The line is 1, no difference"
                + (noiseFloor is null
                    ? ". There is no noise floor: it was not measured, or has no end."
                    : "; the band around it is the noise floor, by which two instances of one server may differ."),
            [
                Key.From(ArmStyle.Second, known.Any(row => row.IsByBlocks) ? "R, by blocks" : "R"),
                .. known.Any(row => row.IsByBlocks)
                    ? [Key.From(ArmStyle.Second, "R, by iterations", "hollow")]
                    : Array.Empty<(XElement, string)>(),
                .. paper.Count > 0 ? [Key.From(ArmStyle.First, "R, published", "hollow")] : Array.Empty<(XElement, string)>(),
                .. noiseFloor is null ? Array.Empty<(XElement, string)>() : [Key.Box("noise", "noise floor")],
            ],
            [Drawing(known)],
            [Table(known)]);
    }

    private XElement Drawing(Comparison[] rows)
    {
        var x = Scale.Levels([.. rows.Select(row => row.Users)], Axes.Left, Axes.Right);
        var y = Ratios(
            rows.SelectMany(row => Ends(row).Append(row.Ratio))
                .Concat(paper.SelectMany(row => new double?[] { row.Ratio, row.RatioInterval?.Low, row.RatioInterval?.High }))
                .OfType<double>());
        return Svg.Drawing(
            "ratio-drawing",
            "R, the ratio of mean latencies, against users",
            string.Join(
                "; ",
                rows.Select(row =>
                    $"{Format.Whole(row.Users)} users: {Format.Ratio(row.Ratio)} "
                        + $"({Format.Range(row.Judged.Ratio95, Format.Ratio)})"
                        + $"{(Published(row) is { } printed ? $", published {Format.Ratio(printed.Ratio)}" : "")}")),
            Axes.Height,
            noiseFloor is { } floor
                ? Svg.Rectangle(Axes.Left, y[floor], Axes.Right - Axes.Left, y[1 / floor] - y[floor], "noise")
                : null,
            Axes.Draw(x, y, "users", "R"),
            Svg.Line(Axes.Left, y[1], Axes.Right, y[1], "axis"),
            rows.Select(row => Level(row, x[row.Users], y)));
    }

    private IEnumerable<XElement> Level(Comparison row, double at, Scale y)
    {
        if (Published(row) is { } printed)
        {
            if (printed.RatioInterval is { } interval)
                yield return Svg.Line(at - 10, y[interval.Low], at - 10, y[interval.High], "interval first");
            yield return Svg.Mark(ArmStyle.First, at - 10, y[printed.Ratio], 3, "hollow");
        }

        if (row.Judged.Ratio95 is { } judged)
            yield return Svg.Line(at, y[judged.Low], at, y[judged.High], "interval second");
        yield return Svg.Mark(ArmStyle.Second, at, y[row.Ratio!.Value], 3.5);
        if (!row.IsByBlocks)
            yield break;
        if (row.Iterations.Ratio95 is { } iterations)
            yield return Svg.Line(at + 10, y[iterations.Low], at + 10, y[iterations.High], "interval second");
        yield return Svg.Mark(ArmStyle.Second, at + 10, y[row.Ratio.Value], 3, "hollow");
    }

    private PaperEffect? Published(Comparison row) => paper.FirstOrDefault(one => one.Users == row.Users);

    private static IEnumerable<double?> Ends(Comparison row) =>
        [row.Judged.Ratio95?.Low, row.Judged.Ratio95?.High, row.Iterations.Ratio95?.Low, row.Iterations.Ratio95?.High];

    private Scale Ratios(IEnumerable<double> values)
    {
        // An interval may reach below 0, and a logarithm may not: it is drawn to the lower end.
        var positive = values.Concat([1 / (noiseFloor ?? 1), noiseFloor ?? 1]).Where(value => value > 0.01).ToArray();
        var low = Math.Min(positive.Min(), 0.97) / 1.03;
        var high = Math.Max(positive.Max(), 1.03) * 1.03;
        var ticks = Marks.Where(mark => mark >= low && mark <= high).ToArray();
        // With many decades every tick would be too many.
        return new Scale(
            low, high, Axes.Bottom, Axes.Top, true,
            ticks.Length > 9 ? [.. ticks.Where(tick => tick is 0.01 or 0.1 or 0.5 or 1 or 2 or 5 or 10 or 100 or 1000)] : ticks);
    }

    private FigureTable Table(Comparison[] rows) => new(
        "R, the ratio of mean latencies",
        ["users", "n", "blocks", "R", "95 %, by blocks", "95 %, by iterations", "R published", "95 %"],
        [.. rows.Select(row => (IReadOnlyList<string>)
        [
            Format.Whole(row.Users), Format.Whole(row.Count), Format.Whole(row.Blocks), Format.Ratio(row.Ratio),
            Format.Range(row.BlockMeans?.Ratio95, Format.Ratio), Format.Range(row.Iterations.Ratio95, Format.Ratio),
            Format.Ratio(Published(row)?.Ratio), Format.Range(Published(row)?.RatioInterval, Format.Ratio),
        ])]);
}
