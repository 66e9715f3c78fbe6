namespace PubSubOverWs.Record.Formats;

/// <summary>One line of a CSV file, read by the names of its columns.</summary>
internal sealed class CsvRow(IReadOnlyDictionary<string, int> columns, IReadOnlyList<string> cells, string where)
{
    public string Text(string column) => cells[columns[column]];

    /// <summary>Its place in the file, for errors.</summary>
    public string Where => where;

    /// <summary>0 or more.</summary>
    public long Count(string column) => Read(column, text => long.Parse(text, NumberStyles.None, CultureInfo.InvariantCulture));

    /// <summary>A count by another product, whose counter may run backwards.</summary>
    public long Long(string column) => Read(column, text => long.Parse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture));

    /// <summary>0 or more.</summary>
    public int Int(string column) => Read(column, text => int.Parse(text, NumberStyles.None, CultureInfo.InvariantCulture));

    /// <summary>The index of a cell among names, from 0.</summary>
    public int IndexOf(string column, IEnumerable<string> names) =>
        Read(column, text => names.ToList().IndexOf(text) is >= 0 and var at ? at : throw new FormatException());

    /// <summary>A value of another kind; <paramref name="find"/> returns null for a text that is none.</summary>
    public T Value<T>(string column, Func<string, T?> find)
        where T : struct => Read(column, text => find(text) ?? throw new FormatException());

    public bool Truth(string column) => Read(column, bool.Parse);

    /// <summary>Within ten years of 0.</summary>
    public TimeSpan Time(string column) => Read(column, Csv.Time);

    /// <summary>0 to ten years.</summary>
    public TimeSpan Duration(string column) =>
        Read(column, text => Csv.Time(text) is { Ticks: >= 0 } time ? time : throw new FormatException());

    public TimeSpan? OptionalTime(string column) => Text(column).Length == 0 ? null : Time(column);

    /// <summary>True: all of these cells are empty. If only some are, the row is damaged, and reading it throws.</summary>
    public bool IsEmpty(params IEnumerable<string> columns) => columns.All(column => Text(column).Length == 0);

    public T Named<T>(string column)
        where T : struct, Enum => Read(column, text => Kebab.TryParse(text, out T value) ? value : throw new FormatException());

    /// <summary>A finite number, or null for an empty cell.</summary>
    public double? OptionalDouble(string column) => Text(column).Length == 0 ? null : Read(column, text =>
    {
        var value = double.Parse(text, NumberStyles.Float, CultureInfo.InvariantCulture);
        return double.IsFinite(value) ? value : throw new FormatException();
    });

    private T Read<T>(string column, Func<string, T> parse)
    {
        try
        {
            return parse(Text(column));
        }
        catch (Exception e) when (e is FormatException or OverflowException)
        {
            throw new RecordException(
                $"{where} is damaged: column {column} holds '{Text(column)}', which is not a valid value; {RecordException.Mend}.", e);
        }
    }
}
