using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Latency;

namespace PubSubOverWs.Record.Files;

/// <summary>
/// latency/: an HdrHistogram log for each arm and level, with a line for each iteration but warm-up, tagged with its number.
/// </summary>
public static class LatencyLog
{
    /// <summary>Counts the latencies that each flow is judged by, one histogram for each.</summary>
    public static IReadOnlyList<LatencyHistogram> Count(IEnumerable<Attempt> attempts, IReadOnlyList<Flow> flows)
    {
        LatencyHistogram[] histograms = [.. flows.Select(_ => new LatencyHistogram())];
        foreach (var attempt in attempts)
            FlowAccount.Count(attempt, flows[attempt.Flow].Latency, histograms[attempt.Flow]);
        return histograms;
    }

    /// <summary>
    /// Appends the line of an iteration, before its row is written: a kill between the two leaves a line that no row asks for.
    /// </summary>
    internal static void Append(string folder, IterationRow row, FlowRow flow, LatencyHistogram histogram)
    {
        var path = RecordFiles.LatencyLog(folder, row, flow.Flow);
        using var file = RecordFiles.OpenToAppend(path);
        var head = file.Length == 0 ? HistogramLog.Header : "";
        RecordFiles.Append(file, $"{head}{HistogramLog.Line(Csv.Text(row.Iteration), histogram)}\n");
    }

    /// <summary>The distributions of all rows except warm-up.</summary>
    /// <param name="folder">The record.</param>
    /// <param name="rows">iterations.csv.</param>
    /// <param name="mayBeCut">A last line that has no end is passed over.</param>
    /// <exception cref="RecordException">A log is not there, is cut, or does not have what the rows say.</exception>
    internal static IReadOnlyDictionary<(string Arm, int Iteration, string Flow), Distribution> Read(
        string folder, IReadOnlyList<IterationRow> rows, bool mayBeCut)
    {
        var read = new Dictionary<(string Arm, int Iteration, string Flow), Distribution>();
        var logs = rows.Where(row => !row.WarmUp).SelectMany(row => row.Flows.Select(flow => (Row: row, Flow: flow)))
            .GroupBy(one => RecordFiles.LatencyLog(folder, one.Row, one.Flow.Flow));
        foreach (var log in logs)
        {
            var file = RecordFiles.NameIn(log.Key);
            var logged = Lines(log.Key, file, mayBeCut);
            foreach (var (row, flow) in log)
                read[(row.Arm, row.Iteration, flow.Flow.Name)] = Checked(logged, row, flow, file);
        }

        return read;
    }

    private static Distribution Checked(Dictionary<int, Distribution> lines, IterationRow row, FlowRow flow, string file)
    {
        if (!lines.TryGetValue(row.Iteration, out var counted))
            throw new RecordException(
                $"{file} has no line of iteration {row.Iteration}, which iterations.csv has: {RecordException.Mend}.");
        var expected = flow.Latency.Count;
        return counted.Count == expected
            ? counted
            : throw new RecordException(
                $"{file} counts {counted.Count} latencies in iteration {row.Iteration}, and its row {expected}: "
                    + $"{RecordException.Mend}.");
    }

    private static Dictionary<int, Distribution> Lines(string path, string file, bool mayBeCut)
    {
        var lines = new Dictionary<int, Distribution>();
        using var reader = new StreamReader(RecordFiles.Open(path, file), Encoding.UTF8);
        for (var number = 1; ; number++)
        {
            var (line, ended) = Formats.Lines.Next(reader);
            if (line is null || (mayBeCut && !ended && reader.Peek() < 0))
                return lines;
            if (!ended)
                throw CsvTable.Cut(file, number);
            if (Line(line, file, number) is not { } one)
                continue;
            if (!int.TryParse(one.Tag, NumberStyles.None, CultureInfo.InvariantCulture, out var iteration)
                || !lines.TryAdd(iteration, one.Counted))
                throw new RecordException(
                    $"{file} is damaged in line {number}: its tag '{one.Tag}' is no iteration, or one that it had before: "
                        + $"{RecordException.Mend}.");
        }
    }

    private static (string Tag, Distribution Counted)? Line(string line, string file, int number)
    {
        try
        {
            return HistogramLog.ReadLine(line);
        }
        catch (RecordException e)
        {
            throw new RecordException(CsvTable.Cut(file, number).Message, e);
        }
    }
}
