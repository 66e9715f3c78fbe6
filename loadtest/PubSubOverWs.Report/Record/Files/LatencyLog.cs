using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Latency;

namespace PubSubOverWs.Record.Files;

/// <summary>latency.hlog: an HdrHistogram log with a line for each flow of each iteration but warm-up.</summary>
public static class LatencyLog
{
    private static readonly string Name = RecordFiles.Name(RecordFiles.Latency(""));

    /// <summary>Counts the latencies that each flow is judged by, one histogram for each.</summary>
    public static IReadOnlyList<LatencyHistogram> Count(IEnumerable<Attempt> attempts, IReadOnlyList<Flow> flows)
    {
        LatencyHistogram[] histograms = [.. flows.Select(_ => new LatencyHistogram())];
        foreach (var attempt in attempts)
            FlowAccount.Count(attempt, flows[attempt.Flow].Latency, histograms[attempt.Flow]);
        return histograms;
    }

    /// <summary>
    /// Of a line: arm, level, the flow where there are several, and then the iteration, such as <c>direct-500/12</c>. What is before the
    /// slash is one distribution.
    /// </summary>
    internal static string Tag(IterationRow row, Flow flow) =>
        $"{row.Arm}-{row.Level.Key}{(row.Flows.Count == 1 ? "" : $"-{flow.Name}")}/{Csv.Text(row.Iteration)}";

    internal static string Line(IterationRow row, Flow flow, LatencyHistogram histogram) => HistogramLog.Line(Tag(row, flow), histogram);

    /// <summary>The distributions of all rows except warm-up. A line without a row is what a kill left, and counts nowhere.</summary>
    /// <param name="mayBeCut">A last line that has no end is passed over.</param>
    /// <exception cref="RecordException">The log is not there, is cut, or does not have what the rows say.</exception>
    internal static IReadOnlyDictionary<(string Arm, int Iteration, string Flow), Distribution> Read(
        string folder, IReadOnlyList<IterationRow> rows, bool mayBeCut)
    {
        var lines = ReadAll(RecordFiles.Latency(folder), mayBeCut);
        return rows.Where(row => !row.WarmUp).SelectMany(row => row.Flows.Select(flow => (Row: row, Flow: flow)))
            .ToDictionary(one => (one.Row.Arm, one.Row.Iteration, one.Flow.Flow.Name), one => Counted(lines, one.Row, one.Flow));
    }

    private static Distribution Counted(Dictionary<string, Distribution> lines, IterationRow row, FlowRow flow)
    {
        var tag = Tag(row, flow.Flow);
        if (!lines.TryGetValue(tag, out var counted))
            throw new RecordException($"{Name} has no line of {tag}, which iterations.csv has: {RecordException.Mend}.");
        var expected = flow.Latency.Count;
        return counted.Count == expected
            ? counted
            : throw new RecordException(
                $"{Name} counts {counted.Count} latencies of {tag}, and its row {expected}: {RecordException.Mend}.");
    }

    private static Dictionary<string, Distribution> ReadAll(string path, bool mayBeCut)
    {
        var all = new Dictionary<string, Distribution>();
        using var file = RecordFiles.Open(path);
        for (var lines = new Lines(file); lines.TryNext() && !(mayBeCut && lines.IsCut);)
        {
            if (!lines.Ended)
                throw CsvTable.Cut(Name, lines.Number);
            if (Line(lines.Text, lines.Number) is not { } one)
                continue;
            if (one.Tag.Length == 0 || !all.TryAdd(one.Tag, one.Counted))
                throw new RecordException(
                    $"{Name} is damaged in line {lines.Number}: it has no tag, or '{one.Tag}', which an earlier line has: "
                        + $"{RecordException.Mend}.");
        }

        return all;
    }

    private static (string Tag, Distribution Counted)? Line(string line, int number)
    {
        try
        {
            return HistogramLog.ReadLine(line);
        }
        catch (RecordException e)
        {
            throw new RecordException(CsvTable.Cut(Name, number).Message, e);
        }
    }
}
