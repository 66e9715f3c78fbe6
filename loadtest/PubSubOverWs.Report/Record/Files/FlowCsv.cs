using PubSubOverWs.Record.Accounting;
using static PubSubOverWs.Record.Formats.Csv;

namespace PubSubOverWs.Record.Files;

/// <summary>flows.csv: a line for each flow of each trial.</summary>
internal static class FlowCsv
{
    public static IReadOnlyList<string> Header { get; } =
    [
        "arm", "iteration", "flow",
        .. Cells(new FlowRow { Flow = Flow.Message(Arrival.Burst) }).Select(cell => cell.Column),
    ];

    public static IEnumerable<string> Lines(IterationRow row) => row.Flows.Select(flow =>
        Csv.Line([row.Arm, Text(row.Iteration), flow.Flow.Name, .. Cells(flow).Select(cell => cell.Text)]));

    /// <exception cref="RecordException">It is of no flow of the scenario, or its buckets are not its attempts.</exception>
    public static Line ParseLine(CsvRow row, IReadOnlyList<Flow> flows)
    {
        var flow = flows.FirstOrDefault(one => one.Name == row.Text("flow"))
            ?? throw new RecordException(
                $"{row.Where} is of '{row.Text("flow")}', which is no flow of its scenario: {RecordException.Mend}.");
        return new Line(row.Text("arm"), row.Int("iteration"), Parse(row, flow));
    }

    /// <exception cref="RecordException">Its buckets are not its attempts.</exception>
    public static FlowRow Parse(CsvRow row, Flow flow)
    {
        var read = new FlowRow
        {
            Flow = flow,
            ScheduleLagP99 = row.OptionalTime("scheduleLagP99Us"),
            LateSends = row.Count("lateSends"),
            Buckets = BucketCsv.Parse(row),
            Anomalies = new(row.Count("duplicates"), row.Count("reorderings"), row.Count("unexpected"), row.Count("corrupted")),
            FromDue = LatencyCsv.Parse(row, "due"),
            FromSent = LatencyCsv.Parse(row, "sent"),
        };
        var attempts = read.Buckets.Attempts;
        if (read.LateSends > attempts)
            throw new RecordException(
                $"{row.Where} does not add up: {read.LateSends} late sends of {attempts} attempts; {RecordException.Mend}.");
        return read.Buckets.AddUp
            ? read
            : throw new RecordException($"{row.Where} does not add up: its buckets and causes must sum to its {attempts} attempts.");
    }

    /// <summary>The flows of every row of iterations.csv; a line without a row is what a kill left, and counts nowhere.</summary>
    /// <exception cref="RecordException">A flow of a row is missing or there twice.</exception>
    public static IReadOnlyList<IterationRow> Into(IReadOnlyList<IterationRow> rows, IReadOnlyList<Line> lines, IReadOnlyList<Flow> flows)
    {
        var written = lines.ToLookup(line => (line.Arm, line.Iteration));
        return [.. rows.Select(row =>
        {
            Line[] own = [.. written[(row.Arm, row.Iteration)]];
            return row with { Flows = new FlowRows(flows.Select(flow => One(row, own, flow))) };
        })];
    }

    private static FlowRow One(IterationRow row, Line[] lines, Flow flow) =>
        Array.FindAll(lines, line => line.Flow.Flow == flow) is [var one]
            ? one.Flow
            : throw new RecordException(
                $"flows.csv must have '{flow.Name}' of {row.Arm}, iteration {row.Iteration}, once: {RecordException.Mend}.");

    private static IEnumerable<(string Column, string Text)> Cells(FlowRow flow) =>
    [
        ("scheduleLagP99Us", Text(flow.ScheduleLagP99)),
        ("lateSends", Text(flow.LateSends)),
        .. BucketCsv.Cells(flow.Buckets),
        ("duplicates", Text(flow.Anomalies.Duplicates)),
        ("reorderings", Text(flow.Anomalies.Reorderings)),
        ("unexpected", Text(flow.Anomalies.Unexpected)),
        ("corrupted", Text(flow.Anomalies.Corrupted)),
        .. LatencyCsv.Cells(flow.FromDue, "due"),
        .. LatencyCsv.Cells(flow.FromSent, "sent"),
    ];

    /// <param name="Arm">With the iteration the key of its row in iterations.csv.</param>
    /// <param name="Iteration">From 1.</param>
    public sealed record Line(string Arm, int Iteration, FlowRow Flow);
}
