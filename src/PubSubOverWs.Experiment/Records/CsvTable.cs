using PubSubOverWs.Experiment.Formats;

namespace PubSubOverWs.Experiment.Records;

/// <summary>Reads a CSV file of the record whole lines only, and says which line is not what it must be.</summary>
internal sealed class CsvTable
{
    private readonly string _file;
    private readonly Dictionary<string, int> _columns;

    /// <param name="first">The first line of the file, and whether it has an end.</param>
    /// <param name="file">Its name, for the sentence.</param>
    /// <param name="header">The columns it must have, in this order.</param>
    /// <param name="later">Columns that an older file does not have: all of them or none.</param>
    /// <exception cref="RecordException">Another header, or a cut one.</exception>
    public CsvTable((string? Text, bool Ended) first, string file, IReadOnlyList<string> header, params IEnumerable<string> later)
    {
        if (!first.Ended)
            throw Cut(file, 1);
        if (first.Text == Csv.Line(header.Except(later)))
            header = [.. header.Except(later)];
        if (first.Text != Csv.Line(header))
            throw new RecordException(
                $"{file} has other columns than its version of the record: read it with the version of this program that wrote it.");
        (_file, _columns) = (file, header.Select((name, i) => (name, i)).ToDictionary(pair => pair.name, pair => pair.i));
    }

    /// <summary>Whether the file has a column that older ones do not have.</summary>
    public bool Has(string column) => _columns.ContainsKey(column);

    /// <summary>Every line as <paramref name="parse"/> reads it.</summary>
    /// <param name="reader">The file.</param>
    /// <param name="file">Its name, for the sentence.</param>
    /// <param name="header">The columns it must have, in this order.</param>
    /// <param name="parse">Reads one line; the second argument says where it stands.</param>
    /// <param name="mayBeCut">A last line that has no end is passed over.</param>
    /// <param name="later">Columns that an older file does not have: all of them or none.</param>
    /// <exception cref="RecordException">Another header, a cut line, a value that is none.</exception>
    public static IEnumerable<T> Read<T>(
        TextReader reader, string file, IReadOnlyList<string> header, Func<CsvRow, string, T> parse, bool mayBeCut,
        params IEnumerable<string> later)
    {
        var table = new CsvTable(Lines.Next(reader), file, header, later);
        for (var number = 2; ; number++)
        {
            var line = Lines.Next(reader);
            if (line.Text is null || (mayBeCut && !line.Ended && reader.Peek() < 0))
                yield break;
            var row = table.Row(line, number);
            yield return parse(row, row.Where);
        }
    }

    /// <exception cref="RecordException">The line is cut.</exception>
    public CsvRow Row((string? Text, bool Ended) line, int number)
    {
        var cells = line.Ended ? Csv.Cells(line.Text!) : null;
        if (cells is null || cells.Count != _columns.Count)
            throw Cut(_file, number);
        return new CsvRow(_columns, cells, $"{_file}, line {number},");
    }

    /// <summary>The sentence about a line that is none.</summary>
    public static RecordException Cut(string file, int line) =>
        new($"{file} is cut or damaged in line {line}: resume the run, or {RecordException.Mend}.");
}
