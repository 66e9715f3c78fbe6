using System.Globalization;
using System.Text;
using PubSubOverWs.Experiment.Accounting;
using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Formats;
using PubSubOverWs.Experiment.Latency;

namespace PubSubOverWs.Experiment.Records;

/// <summary>
/// latency/: an HdrHistogram log for each arm and level, with a line for each iteration but warm-up, tagged with its number.
/// </summary>
public static class LatencyLog
{
    /// <summary>
    /// Counts the latencies that <see cref="IterationRow.LatencyOf"/> sums up. A negative reading counts as 0 and one above an hour as an
    /// hour: samples/ and the row have them exactly.
    /// </summary>
    public static LatencyHistogram Count(IEnumerable<Attempt> attempts, Arrival arrival)
    {
        var histogram = new LatencyHistogram();
        foreach (var attempt in attempts)
            Count(attempt, arrival, histogram);
        return histogram;
    }

    /// <summary>Counts one attempt, if it was delivered.</summary>
    public static void Count(in Attempt attempt, Arrival arrival, LatencyHistogram histogram)
    {
        if (attempt.Outcome == Outcome.Delivered && attempt.LatencyOf(arrival) is { } latency)
            histogram.TryRecord(TimeSpan.FromTicks(Math.Clamp(latency.Ticks, 0, LatencyHistogram.Longest.Ticks)));
    }

    /// <summary>
    /// Appends the line of an iteration, before its row is written: a kill between the two leaves a line that no row asks for.
    /// </summary>
    internal static void Append(string folder, IterationRow row, LatencyHistogram histogram)
    {
        var path = RecordFiles.LatencyLog(folder, row.Arm, row.Level);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        using var file = new FileStream(path, FileMode.Append, FileAccess.Write, FileShare.Read);
        var head = file.Length == 0 ? HistogramLog.Header : "";
        file.Write(Encoding.UTF8.GetBytes($"{head}{HistogramLog.Line(Csv.Text(row.Iteration), histogram)}\n"));
        file.Flush(flushToDisk: true);
    }

    /// <summary>What every row but warm-up has in its log; nothing where the folder is older than latency/.</summary>
    /// <param name="folder">The record.</param>
    /// <param name="arrival">Decides which latency is judged.</param>
    /// <param name="rows">iterations.csv.</param>
    /// <param name="mayBeCut">A last line that has no end is passed over.</param>
    /// <exception cref="RecordException">A log is not there, is cut, or does not have what the rows say.</exception>
    internal static IReadOnlyDictionary<(string Arm, int Iteration), Distribution> Read(
        string folder, Arrival arrival, IReadOnlyList<IterationRow> rows, bool mayBeCut)
    {
        var read = new Dictionary<(string Arm, int Iteration), Distribution>();
        if (!Path.Exists(RecordFiles.Latency(folder)))
            return read;
        foreach (var level in rows.Where(row => !row.WarmUp).GroupBy(row => (row.Arm, row.Level)))
        {
            var path = RecordFiles.LatencyLog(folder, level.Key.Arm, level.Key.Level);
            var file = RecordFiles.NameIn(path);
            var logged = Lines(path, file, mayBeCut);
            foreach (var row in level)
                read[(row.Arm, row.Iteration)] = Checked(logged, row, arrival, file);
        }

        return read;
    }

    private static Distribution Checked(Dictionary<int, Distribution> lines, IterationRow row, Arrival arrival, string file)
    {
        if (!lines.TryGetValue(row.Iteration, out var counted))
            throw new RecordException(
                $"{file} has no line of iteration {row.Iteration}, which iterations.csv has: {RecordException.Mend}.");
        var expected = row.LatencyOf(arrival).Count;
        return counted.Count == expected
            ? counted
            : throw new RecordException(
                $"{file} counts {counted.Count} latencies in iteration {row.Iteration}, and its row in iterations.csv {expected}: "
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
