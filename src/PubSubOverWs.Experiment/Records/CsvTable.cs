namespace PubSubOverWs.Experiment.Records;

/// <summary>Reads a CSV file of the record whole lines only, and says which line is not what it must be.</summary>
internal static class CsvTable
{
    /// <summary>Every line as <paramref name="parse"/> reads it.</summary>
    /// <param name="reader">The file.</param>
    /// <param name="file">Its name, for the sentence.</param>
    /// <param name="header">The columns it must have, in this order.</param>
    /// <param name="parse">Reads one line; the second argument says where it stands.</param>
    /// <param name="later">Columns that an older file does not have: all of them or none.</param>
    /// <exception cref="RecordException">Another header, a cut line, a value that is none.</exception>
    public static IEnumerable<T> Read<T>(TextReader reader, string file, IReadOnlyList<string> header, Func<CsvRow, string, T> parse, params IEnumerable<string> later)
    {
        var first = Lines.Next(reader);
        if (!first.Ended)
            throw Cut(file, 1);
        if (first.Text == Csv.Line(header.Except(later)))
            header = [.. header.Except(later)];
        if (first.Text != Csv.Line(header))
            throw new RecordException($"{file} has other columns than version {RunRecord.Version} of the record: read it with the version of this program that wrote it.");
        var columns = header.Select((name, i) => (name, i)).ToDictionary(pair => pair.name, pair => pair.i);
        for (var number = 2; ; number++)
        {
            var line = Lines.Next(reader);
            if (line.Text is null)
                yield break;
            var cells = line.Ended ? Csv.Cells(line.Text) : null;
            if (cells is null || cells.Count != header.Count)
                throw Cut(file, number);
            var where = $"{file}, line {number},";
            yield return parse(new CsvRow(columns, cells, where), where);
        }
    }

    private static RecordException Cut(string file, int line) =>
        new($"{file} is cut or damaged in line {line}: resume the run, or take the folder again from where it was made.");
}
