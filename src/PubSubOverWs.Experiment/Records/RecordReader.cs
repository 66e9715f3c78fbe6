using System.IO.Compression;
using System.Text;

namespace PubSubOverWs.Experiment.Records;

/// <summary>Reads a record folder. What is cut, of another version, or does not add up is named in one sentence; nothing is guessed.</summary>
public static class RecordReader
{
    /// <exception cref="RecordException">The folder is not there, or a file of it cannot be used.</exception>
    public static RunFolder Read(string folder) => Read(folder, text => text);

    /// <summary>The same of a run that may have been killed: a last line that has no end is passed over. The files stay as they are.</summary>
    /// <exception cref="RecordException">The folder is not there, or a file of it cannot be used even so.</exception>
    public static RunFolder ReadInterrupted(string folder) => Read(folder, text => text[..(text.LastIndexOf('\n') + 1)]);

    private static RunFolder Read(string folder, Func<string, string> lines)
    {
        if (!Directory.Exists(folder))
            throw new RecordException($"There is no folder {folder}: name one that holds a run.json.");
        var run = RunJson.Read(Text(RecordFiles.Run(folder)), RecordFiles.Name(RecordFiles.Run(folder)));
        var rows = Rows(RecordFiles.Iterations(folder), lines, IterationCsv.Header, (row, where) => Checked(IterationCsv.Parse(row), where), IterationCsv.Later);
        var twice = rows.GroupBy(row => (row.Arm, row.Iteration)).FirstOrDefault(group => group.Count() > 1);
        if (twice is not null)
            throw new RecordException($"iterations.csv has {twice.Key.Arm}, iteration {twice.Key.Iteration}, more than once: {RecordException.Mend}.");
        CheckWhole(run, rows);
        return new RunFolder(run, rows, Rows(RecordFiles.Events(folder), lines, EventCsv.Header, (row, _) => EventCsv.Parse(row)))
        {
            Latency = LatencyLog.Read(folder, run.Scenario.Arrival, rows, lines),
            Faults = Faults(run, folder, lines, rows),
            Noise = Noise(RecordFiles.Noise(folder)),
        };
    }

    /// <summary>The attempts of one arm in one iteration, in a stream.</summary>
    /// <exception cref="RecordException">The file is not there (committed folders leave samples out), or is cut.</exception>
    public static IEnumerable<Attempt> ReadSamples(string folder, string arm, int iteration)
    {
        var path = RecordFiles.Samples(folder, arm, iteration);
        if (Directory.Exists(path))
            throw new RecordException($"{RecordFiles.NameIn(path)} is a folder and must be a file: {RecordException.Mend}.");
        if (!File.Exists(path))
            throw new RecordException($"There is no {RecordFiles.NameIn(path)}: committed folders leave the samples out.");
        return ReadSamples(path);
    }

    private static IEnumerable<Attempt> ReadSamples(string path)
    {
        using var plain = new GZipStream(File.OpenRead(path), CompressionMode.Decompress);
        var lines = new ByteLines(plain);
        var table = new CsvTable(lines.TryNext() ? (Encoding.UTF8.GetString(lines.Line), lines.Ended) : default, RecordFiles.NameIn(path), SampleCsv.Header);
        for (var number = 2; lines.TryNext(); number++)
        {
            yield return lines.Ended && SampleLine.TryParse(lines.Line, out var attempt)
                ? attempt
                : SampleCsv.Parse(table.Row((Encoding.UTF8.GetString(lines.Line).TrimEnd('\r'), lines.Ended), number));
        }
    }

    private static IReadOnlyList<T> Rows<T>(string path, Func<string, string> lines, IReadOnlyList<string> header, Func<CsvRow, string, T> parse, params IEnumerable<string> later)
    {
        using var text = new StringReader(lines(Text(path)));
        return [.. CsvTable.Read(text, RecordFiles.Name(path), header, parse, later)];
    }

    private static IReadOnlyDictionary<(string Arm, int Iteration), FaultRow> Faults(RunRecord run, string folder, Func<string, string> lines, IReadOnlyList<IterationRow> rows) =>
        FaultLog.IsKept(run.Scenario)
            ? FaultLog.Checked(Rows(RecordFiles.Faults(folder), lines, FaultCsv.Header, (row, _) => FaultCsv.Parse(row)), rows)
            : new Dictionary<(string, int), FaultRow>();

    private static NoiseFloor? Noise(string path) =>
        File.Exists(path) || Directory.Exists(path) ? NoiseJson.Read(Text(path, RecordFiles.Name(path)), RecordFiles.Name(path)) : null;

    /// <summary>The text of a file that must be there.</summary>
    internal static string Text(string path, string name)
    {
        if (Directory.Exists(path))
            throw new RecordException($"{name} is a folder and must be a file: {RecordException.Mend}.");
        return File.Exists(path) ? File.ReadAllText(path) : throw new RecordException($"There is no {name}, which this run must have: {RecordException.Mend}.");
    }

    private static string Text(string path) => File.Exists(path) || Directory.Exists(path)
        ? Text(path, RecordFiles.Name(path))
        : throw new RecordException($"There is no {RecordFiles.Name(path)} in {Path.GetDirectoryName(path)}: it is not the folder of a run.");

    // A file that was cut between two lines reads well: only the plan tells that something is missing.
    private static void CheckWhole(RunRecord run, IReadOnlyList<IterationRow> rows)
    {
        if (!run.Complete)
            return;
        var there = rows.Where(row => !row.Superseded).Select(row => (row.Arm, row.Iteration)).ToHashSet();
        foreach (var arm in run.Order.SelectMany(step => step.Arms.Select(arm => (Arm: arm, step.Iteration))).GroupBy(one => one.Arm, one => one.Iteration))
        {
            var (planned, missing) = (arm.Count(), arm.Where(iteration => !there.Contains((arm.Key, iteration))).ToArray());
            if (missing.Length > 0)
                throw new RecordException($"iterations.csv lacks {missing.Length} of {planned} rows of {arm.Key}, though run.json says that the run is complete: {RecordException.Mend}.");
        }
    }

    private static IterationRow Checked(IterationRow row, string where)
    {
        if (row.Buckets.AddUp && row.Users > 0 && row.Iteration > 0)
            return row;
        throw new RecordException($"{where} does not add up: its buckets and causes must sum to its {row.Buckets.Attempts} attempts.");
    }
}
