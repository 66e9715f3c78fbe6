using PubSubOverWs.Report.Documents;
using PubSubOverWs.Report.Standard.Rows;

namespace PubSubOverWs.Report.Standard.Figures;

/// <summary>The rows and events of a run over time, a drawing for each block.</summary>
internal static class TimelineFigure
{
    private const double Left = 66;
    private const double Lane = 24;

    /// <param name="points">At least one iteration.</param>
    /// <param name="scenario">Names the arms.</param>
    public static Figure Draw(FigurePoints points, Scenario scenario)
    {
        string[] lanes = [Arm.Floor.Name, .. scenario.ShownArms];
        var blocks = TimelineBlock.From(points);
        return new Figure(
            "timeline",
            "The run in time",
            "Each box is one iteration of an arm, from the first connection to the proof that the queue is empty; a warm-up is only an "
                + "outline. Events are below. Superseded rows are omitted.",
            [Key.Box("lane first", "an iteration"), Key.Box("lane first warm-up", "warm-up"), Key.From(ArmStyle.Second, "started", "event"),
                Key.From(ArmStyle.First, "stopped, deleted", "event"), Key.From("other", "other events", "event fault"),
                .. FaultActions(points)],
            [.. blocks.Select(block => Drawing(block, lanes, scenario.Compared))],
            [
                new FigureTable(
                    "Blocks", ["block", "arm", "rows", "of which warm-up", "first starts, s", "last starts, s"],
                    [.. blocks.SelectMany(block => Rows(block, lanes))]),
                new FigureTable("Events", ["at, s", "kind", "target", "detail"], [.. points.Events.Select(one => (IReadOnlyList<string>)
                    [Format.Fixed(one.At.TotalSeconds, 1), one.Kind, one.Target, one.Detail])]),
            ]);
    }

    private static IEnumerable<(XElement Mark, string Text)> FaultActions(FigurePoints points) =>
        points.Events.Any(one => one.IsFaultAction) ? [(Svg.Line(8, 0, 8, 12, "border"), "a fault")] : [];

    private static XElement Drawing(TimelineBlock block, string[] lanes, Contrast compared)
    {
        var left = Key.LeftOf(lanes, Left);
        var bottom = 4 + ((lanes.Length + 1) * Lane);
        var x = Scale.Linear([block.End - block.Start], left, Axes.Right);
        var faults = block.Events.Count(one => !one.IsRoutine);
        return Svg.Drawing(
            $"timeline-{Format.Whole(block.Number)}",
            $"Block {Format.Whole(block.Number)} in time",
            $"{block.Rows.Count} rows, {block.Events.Count} events, {faults} of them other than the starting and stopping of processes.",
            bottom + 38,
            lanes.Append("events").Select((name, i) => Svg.Text(left - 6, 4 + (i * Lane) + 16, name, "end")),
            x.Ticks.Select(tick => Svg.Line(x[tick], 4, x[tick], bottom, "grid")),
            x.Ticks.Select(tick => Svg.Text(x[tick], bottom + 15, Scale.Label(tick))),
            Svg.Text(Axes.Right, bottom + 31, $"s from the start of block {Format.Whole(block.Number)}", "end"),
            block.Rows.Select(row =>
                Box(row, Array.IndexOf(lanes, row.Arm), Key.StyleOf(row.Arm, compared), x[row.StartSeconds - block.Start],
                    x[row.StartSeconds + row.Seconds - block.Start])),
            block.Events.Where(one => one.IsFaultAction).Select(one => x[one.At.TotalSeconds - block.Start])
                .Select(at => Svg.Line(at, 4, at, bottom, "border")),
            block.Events.Select(one => Event(one, x[one.At.TotalSeconds - block.Start], bottom - (Lane / 2))));
    }

    private static XElement Box(IterationPoint row, int lane, string look, double from, double to) => Svg.Rectangle(
        from,
        4 + (lane * Lane) + 3,
        // Short iterations are there too.
        Math.Max(0.5, to - from),
        Lane - 6,
        $"mark lane {look}{(row.WarmUp ? " warm-up" : "")}");

    private static XElement Event(EventRow one, double at, double height) => one.IsRoutine
        ? Svg.Mark(one.Kind == "started" ? ArmStyle.Second : ArmStyle.First, at, height, 3, "event")
        : Svg.Mark("other", at, height, 4.5, "event fault");

    private static IEnumerable<IReadOnlyList<string>> Rows(TimelineBlock block, string[] lanes) =>
        block.Rows.GroupBy(row => row.Arm).OrderBy(arm => Array.IndexOf(lanes, arm.Key)).Select(arm => (IReadOnlyList<string>)
        [
            Format.Whole(block.Number), arm.Key, Format.Whole(arm.Count()), Format.Whole(arm.Count(row => row.WarmUp)),
            Format.Fixed(arm.Min(row => row.StartSeconds), 1), Format.Fixed(arm.Max(row => row.StartSeconds), 1),
        ]);
}

/// <summary>One block of a run, with what happened from the start of its servers to the start of the next block's.</summary>
/// <param name="Number">From 1.</param>
/// <param name="Start">Seconds from the start of the run.</param>
/// <param name="End">Seconds from the start of the run.</param>
/// <param name="Rows">At least one.</param>
/// <param name="Events">In the order of time.</param>
internal sealed record TimelineBlock(
    int Number, double Start, double End, IReadOnlyList<IterationPoint> Rows, IReadOnlyList<EventRow> Events)
{
    public static IReadOnlyList<TimelineBlock> From(FigurePoints points)
    {
        var blocks = points.Iterations.GroupBy(row => row.Block).Select(block => block.ToArray()).OrderBy(rows => rows[0].StartSeconds)
            .ToArray();
        var events = points.Events.OrderBy(one => one.At).ToArray();
        var made = new List<TimelineBlock>();
        for (var i = 0; i < blocks.Length; i++)
        {
            var from = i == 0 ? double.NegativeInfinity : Border(blocks[i - 1], blocks[i], events);
            var to = i == blocks.Length - 1 ? double.PositiveInfinity : Border(blocks[i], blocks[i + 1], events);
            made.Add(From(blocks[i], [.. events.Where(one => one.At.TotalSeconds >= from && one.At.TotalSeconds < to)]));
        }

        return made;
    }

    private static TimelineBlock From(IterationPoint[] rows, EventRow[] events)
    {
        var times = events.Select(one => one.At.TotalSeconds).ToArray();
        return new TimelineBlock(
            rows[0].Block,
            rows.Select(row => row.StartSeconds).Concat(times).Min(),
            rows.Select(row => row.StartSeconds + row.Seconds).Concat(times).Max(),
            rows,
            events);
    }

    // Where the first process of the next block starts; where none does, its first row.
    private static double Border(IterationPoint[] block, IterationPoint[] next, EventRow[] events)
    {
        var end = block.Max(row => row.StartSeconds + row.Seconds);
        var start = next.Min(row => row.StartSeconds);
        return events.Where(one => one.Kind == "started").Select(one => one.At.TotalSeconds).Where(at => at >= end && at <= start)
            .Append(start).Min();
    }
}
