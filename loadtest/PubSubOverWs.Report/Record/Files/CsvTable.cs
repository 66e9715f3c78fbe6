namespace PubSubOverWs.Record.Files;

/// <summary>Reads a CSV file of the record line by line. Errors name the line.</summary>
internal sealed class CsvTable
{
    private readonly string _file;
    private readonly Dictionary<string, int> _columns;

    /// <param name="first">The first line of the file, and whether it has an end.</param>
    /// <param name="file">Its name, for errors.</param>
    /// <param name="header">The required columns, in order.</param>
    /// <exception cref="RecordException">The header differs or is cut.</exception>
    public CsvTable((string? Text, bool Ended) first, string file, IReadOnlyList<string> header)
    {
        if (!first.Ended)
            throw Cut(file, 1);
        if (first.Text != Csv.Line(header))
            throw new RecordException(
                $"{file} has other columns than its version of the record: read it with the version of this program that wrote it.");
        (_file, _columns) = (file, header.Select((name, i) => (name, i)).ToDictionary(pair => pair.name, pair => pair.i));
    }

    /// <param name="reader">The file.</param>
    /// <param name="file">Its name, for errors.</param>
    /// <param name="header">The required columns, in order.</param>
    /// <param name="parse">Reads one line; the second argument says where it is.</param>
    /// <param name="mayBeCut">Ignores a last line without an end.</param>
    /// <exception cref="RecordException">The header differs, a line is cut, or a value is invalid.</exception>
    public static IEnumerable<T> Read<T>(
        TextReader reader, string file, IReadOnlyList<string> header, Func<CsvRow, string, T> parse, bool mayBeCut)
    {
        var table = new CsvTable(Lines.Next(reader), file, header);
        for (var number = 2; ; number++)
        {
            var line = Lines.Next(reader);
            if (line.Text is null || (mayBeCut && !line.Ended && reader.Peek() < 0))
                yield break;
            var row = table.Row(line, number);
            yield return parse(row, row.Where);
        }
    }

    public CsvRow Row((string? Text, bool Ended) line, int number)
    {
        var cells = line.Ended ? Csv.Cells(line.Text!) : null;
        if (cells is null || cells.Count != _columns.Count)
            throw Cut(_file, number);
        return new CsvRow(_columns, cells, $"{_file}, line {number},");
    }

    public static RecordException Cut(string file, int line) =>
        new($"{file} is cut or damaged in line {line}: resume the run, or {RecordException.Mend}.");
}
