namespace PubSubOverWs.Record.Files;

/// <summary>
/// Reads a record folder. A file that is cut, of another version, or does not add up is named in one sentence; nothing is guessed.
/// </summary>
public static class RecordReader
{
    /// <exception cref="RecordException">The folder is not there, or a file of it cannot be used.</exception>
    public static RunFolder Read(string folder) => Read(folder, mayBeCut: false);

    /// <summary>The same without its noise.json, which is about to be replaced.</summary>
    /// <exception cref="RecordException">As of <see cref="Read(string)"/>.</exception>
    public static RunFolder ReadWithoutNoise(string folder) => Read(folder, mayBeCut: false, withNoise: false);

    /// <summary>
    /// The same of a run that may have been killed: a last line that has no end is passed over. The files stay as they are.
    /// </summary>
    /// <exception cref="RecordException">The folder is not there, or a file of it cannot be used even so.</exception>
    public static RunFolder ReadInterrupted(string folder) => Read(folder, mayBeCut: true);

    private static RunFolder Read(string folder, bool mayBeCut, bool withNoise = true)
    {
        if (!Directory.Exists(folder))
            throw new RecordException($"There is no folder {folder}: name one that holds a run.json.");
        try
        {
            var read = ReadFiles(folder, mayBeCut) with { Noise = withNoise ? Noise(RecordFiles.Noise(folder)) : null };
            Checksums.CheckReported(folder);
            return read;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw RecordException.Unreadable($"A file of {folder}", error);
        }
    }

    private static RunFolder ReadFiles(string folder, bool mayBeCut)
    {
        DemandRun(RecordFiles.Run(folder));
        DemandRun(RecordFiles.Iterations(folder));
        DemandRun(RecordFiles.Events(folder));
        var run = RunJson.Read(RecordFiles.Run(folder));
        var rows = Rows(run.Scenario, folder, mayBeCut);
        // It refuses values that cannot be.
        foreach (var row in rows)
            FaultRow.Find(row);
        CheckWhole(run, rows);
        var events = CsvTable.Read(RecordFiles.Events(folder), EventCsv.Header, EventCsv.Parse, mayBeCut);
        return new RunFolder(run, rows, events)
        {
            Latency = LatencyLog.Read(folder, rows, mayBeCut),
        };
    }

    private static IReadOnlyList<IterationRow> Rows(Scenario scenario, string folder, bool mayBeCut)
    {
        var factors = scenario.Factors;
        var flows = scenario.Flows;
        var measures = scenario.Measures;
        var rows = Once(CsvTable.Read(
            RecordFiles.Iterations(folder), IterationCsv.Header(factors),
            row => Checked(scenario, IterationCsv.Parse(row, factors), row.Where), mayBeCut));
        rows = FlowCsv.Into(
            rows, CsvTable.Read(RecordFiles.Flows(folder), FlowCsv.Header, row => FlowCsv.ParseLine(row, flows), mayBeCut), flows);
        return measures.Count == 0
            ? rows
            : MeasureCsv.Into(
                rows, CsvTable.Read(RecordFiles.Measures(folder), MeasureCsv.Header, MeasureCsv.Parse, mayBeCut), measures);
    }

    private static IReadOnlyList<IterationRow> Once(IReadOnlyList<IterationRow> rows) =>
        rows.GroupBy(row => (row.Arm, row.Iteration)).FirstOrDefault(group => group.Count() > 1) is { Key: var twice }
            ? throw new RecordException(
                $"iterations.csv has {twice.Arm}, iteration {twice.Iteration}, more than once: {RecordException.Mend}.")
            : rows;

    private static NoiseFloor? Noise(string path) =>
        Path.Exists(path) ? NoiseJson.Read(path) : null;

    private static void DemandRun(string path)
    {
        if (!Path.Exists(path))
            throw new RecordException(
                $"There is no {RecordFiles.Name(path)} in {Path.GetDirectoryName(path)}: it is not the folder of a run.");
    }

    // A file that was cut between two lines is readable: only the plan shows that rows are missing.
    private static void CheckWhole(RunRecord run, IReadOnlyList<IterationRow> rows)
    {
        if (!run.Complete)
            return;
        var there = rows.Where(row => !row.Superseded).Select(row => (row.Arm, row.Iteration)).ToHashSet();
        foreach (var arm in WarmUpRule.Planned(run.Scenario, run.Order, rows).GroupBy(one => one.Arm, one => one.Step.Iteration))
        {
            var planned = arm.Count();
            var missing = arm.Where(iteration => !there.Contains((arm.Key, iteration))).ToArray();
            if (missing.Length > 0)
                throw new RecordException(
                    $"iterations.csv lacks {missing.Length} of {planned} rows of {arm.Key}, though run.json says that the run is "
                        + $"complete: {RecordException.Mend}.");
        }
    }

    private static IterationRow Checked(Scenario scenario, IterationRow row, string where)
    {
        var users = scenario.UsersAt(row.Level);
        if (row.Connections > users)
            throw new RecordException(
                $"{where} does not add up: {row.Connections} connections of {users} users; {RecordException.Mend}.");
        return users > 0 && row.Iteration > 0
            ? row
            : throw new RecordException(
                $"{where} does not add up: it must have users, and an iteration from 1 on; {RecordException.Mend}.");
    }
}

/// <summary>Reads a CSV file of the record line by line. Errors name the line.</summary>
internal sealed class CsvTable
{
    private readonly string _file;
    private readonly Lines _lines;
    private readonly Dictionary<string, int> _columns;

    /// <param name="header">The required columns, in order.</param>
    /// <exception cref="RecordException">The header differs or is cut.</exception>
    public CsvTable(Lines lines, string file, IReadOnlyList<string> header)
    {
        if (!lines.TryNext() || !lines.Ended)
            throw Cut(file, 1);
        if (lines.Text != Csv.Line(header))
            throw new RecordException(
                $"{file} has other columns than its version of the record: read it with the version of this program that wrote it.");
        _file = file;
        _lines = lines;
        _columns = header.Select((name, i) => (name, i)).ToDictionary(pair => pair.name, pair => pair.i);
    }

    /// <param name="header">The required columns, in order.</param>
    /// <param name="mayBeCut">Ignores a last line without an end.</param>
    /// <exception cref="RecordException">The header differs, a line is cut, or a value is invalid.</exception>
    public static IReadOnlyList<T> Read<T>(string path, IReadOnlyList<string> header, Func<CsvRow, T> parse, bool mayBeCut)
    {
        using var file = RecordFiles.Open(path);
        var lines = new Lines(file);
        var table = new CsvTable(lines, RecordFiles.Name(path), header);
        var rows = new List<T>();
        while (lines.TryNext() && !(mayBeCut && lines.IsCut))
            rows.Add(parse(table.Row()));
        return rows;
    }

    /// <summary>The line that the file is at.</summary>
    public CsvRow Row()
    {
        var cells = _lines.Ended ? Csv.Cells(_lines.Text) : null;
        if (cells is null || cells.Count != _columns.Count)
            throw Cut(_file, _lines.Number);
        return new CsvRow(_columns, cells, $"{_file}, line {_lines.Number},");
    }

    public static RecordException Cut(string file, int line) =>
        new($"{file} is cut or damaged in line {line}: resume the run, or {RecordException.Mend}.");
}
