namespace PubSubOverWs.Record.Files;

/// <summary>Reads a CSV file of the record line by line. Errors name the line.</summary>
internal sealed class CsvTable
{
    private readonly string _file;
    private readonly Lines _lines;
    private readonly Dictionary<string, int> _columns;

    /// <param name="lines">Of the file, from its first.</param>
    /// <param name="file">Its name, for errors.</param>
    /// <param name="header">The required columns, in order.</param>
    /// <exception cref="RecordException">The header differs or is cut.</exception>
    public CsvTable(Lines lines, string file, IReadOnlyList<string> header)
    {
        if (!lines.TryNext() || !lines.Ended)
            throw Cut(file, 1);
        if (lines.Text != Csv.Line(header))
            throw new RecordException(
                $"{file} has other columns than its version of the record: read it with the version of this program that wrote it.");
        (_file, _lines) = (file, lines);
        _columns = header.Select((name, i) => (name, i)).ToDictionary(pair => pair.name, pair => pair.i);
    }

    /// <param name="path">Of the file.</param>
    /// <param name="header">The required columns, in order.</param>
    /// <param name="parse">Reads one line.</param>
    /// <param name="mayBeCut">Ignores a last line without an end.</param>
    /// <exception cref="RecordException">The header differs, a line is cut, or a value is invalid.</exception>
    public static IReadOnlyList<T> Read<T>(string path, IReadOnlyList<string> header, Func<CsvRow, T> parse, bool mayBeCut)
    {
        using var file = RecordFiles.Open(path, RecordFiles.Name(path));
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
