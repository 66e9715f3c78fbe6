using System.Xml.Linq;
using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.Experiment.Reports.Figures;

/// <summary>When each row ran and what happened beside it, a drawing for each block.</summary>
internal static class TimelineFigure
{
    private const double Left = 66;
    private const double Lane = 24;
    private const double Bottom = 4 + (4 * Lane);

    /// <param name="points">At least one iteration.</param>
    /// <param name="compared">The arms.</param>
    public static Figure Draw(FigurePoints points, (string First, string Second) compared)
    {
        string[] lanes = [Arms.Floor, compared.First, compared.Second];
        var blocks = TimelineBlock.Of(points);
        return new Figure(
            "timeline",
            "The run in time",
            "Each box is one iteration of an arm, from the first connection to the proof that nothing was left; warm-up is only an outline. Below stand the events. Rows that were superseded are left out.",
            [Key.Box("lane first", "an iteration"), Key.Box("lane first warm-up", "warm-up"), Key.Of(Look.Second, "started", "event"),
                Key.Of(Look.First, "stopped, deleted", "event"), Key.Of("other", "anything else", "event fault")],
            [.. blocks.Select(block => Drawing(block, lanes))],
            [
                new FigureTable("Blocks", ["block", "arm", "rows", "of which warm-up", "first starts, s", "last starts, s"], [.. blocks.SelectMany(block => Rows(block, lanes))]),
                new FigureTable("Events", ["at, s", "kind", "target", "detail"], [.. points.Events.Select(one => (IReadOnlyList<string>)
                    [Show.Fixed(one.At.TotalSeconds, 1), one.Kind, one.Target, one.Detail])]),
            ]);
    }

    private static XElement Drawing(TimelineBlock block, string[] lanes)
    {
        var x = Scale.Linear([block.End - block.Start], Left, Axes.Right);
        var faults = block.Events.Count(one => !one.IsRoutine);
        return Svg.Drawing(
            $"timeline-{Show.Whole(block.Number)}",
            $"Block {Show.Whole(block.Number)} in time",
            $"{block.Rows.Count} rows, {block.Events.Count} events, {faults} of them beside the starting and stopping of processes.",
            Bottom + 38,
            lanes.Append("events").Select((name, i) => Svg.Text(Left - 6, 4 + (i * Lane) + 16, name, "end")),
            x.Ticks.Select(tick => Svg.Line(x[tick], 4, x[tick], Bottom, "grid")),
            x.Ticks.Select(tick => Svg.Text(x[tick], Bottom + 15, Scale.Label(tick))),
            Svg.Text(Axes.Right, Bottom + 31, $"s from the start of block {Show.Whole(block.Number)}", "end"),
            block.Rows.Select(row => Box(row, lanes, x[row.StartSeconds - block.Start], x[row.StartSeconds + row.Seconds - block.Start])),
            block.Events.Select(one => Event(one, x[one.At.TotalSeconds - block.Start])));
    }

    private static XElement Box(IterationPoint row, string[] lanes, double from, double to) => Svg.Rectangle(
        from,
        4 + (Array.IndexOf(lanes, row.Arm) * Lane) + 3,
        // Short iterations are there too.
        Math.Max(0.5, to - from),
        Lane - 6,
        $"mark lane {Look.Of(row.Arm, (lanes[1], lanes[2]))}{(row.WarmUp ? " warm-up" : "")}");

    private static XElement Event(EventRow one, double at) => one.IsRoutine
        ? Svg.Mark(one.Kind == "started" ? Look.Second : Look.First, at, Bottom - (Lane / 2), 3, "event")
        : Svg.Mark("other", at, Bottom - (Lane / 2), 4.5, "event fault");

    private static IEnumerable<IReadOnlyList<string>> Rows(TimelineBlock block, string[] lanes) =>
        block.Rows.GroupBy(row => row.Arm).OrderBy(arm => Array.IndexOf(lanes, arm.Key)).Select(arm => (IReadOnlyList<string>)
        [
            Show.Whole(block.Number), arm.Key, Show.Whole(arm.Count()), Show.Whole(arm.Count(row => row.WarmUp)),
            Show.Fixed(arm.Min(row => row.StartSeconds), 1), Show.Fixed(arm.Max(row => row.StartSeconds), 1),
        ]);
}
