using PubSubOverWs.Experiment.Records;
using PubSubOverWs.Experiment.Reports.Rows;

namespace PubSubOverWs.Experiment.Reports.Figures;

/// <summary>One block of a run, with what happened from the start of its servers to the start of the next block's.</summary>
/// <param name="Number">From 1.</param>
/// <param name="Start">Seconds from the start of the run.</param>
/// <param name="End">Seconds from the start of the run.</param>
/// <param name="Rows">At least one.</param>
/// <param name="Events">In the order of time.</param>
internal sealed record TimelineBlock(
    int Number, double Start, double End, IReadOnlyList<IterationPoint> Rows, IReadOnlyList<EventRow> Events)
{
    public static IReadOnlyList<TimelineBlock> Of(FigurePoints points)
    {
        var blocks = points.Iterations.GroupBy(row => row.Block).Select(block => block.ToArray()).OrderBy(rows => rows[0].StartSeconds)
            .ToArray();
        var events = points.Events.OrderBy(one => one.At).ToArray();
        var made = new List<TimelineBlock>();
        for (var i = 0; i < blocks.Length; i++)
        {
            var from = i == 0 ? double.NegativeInfinity : Border(blocks[i - 1], blocks[i], events);
            var to = i == blocks.Length - 1 ? double.PositiveInfinity : Border(blocks[i], blocks[i + 1], events);
            made.Add(Of(blocks[i], [.. events.Where(one => one.At.TotalSeconds >= from && one.At.TotalSeconds < to)]));
        }

        return made;
    }

    private static TimelineBlock Of(IterationPoint[] rows, EventRow[] events)
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
