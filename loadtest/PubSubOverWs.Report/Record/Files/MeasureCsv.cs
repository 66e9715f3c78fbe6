using static PubSubOverWs.Record.Formats.Csv;

namespace PubSubOverWs.Record.Files;

/// <summary>measures.csv: what each trial leaves of the measures of its experiment, a line each.</summary>
internal static class MeasureCsv
{
    public static readonly IReadOnlyList<string> Header = ["arm", "iteration", "measure", "value"];

    /// <exception cref="ArgumentException">The row lacks a measure, or has one that the experiment does not declare.</exception>
    public static IEnumerable<string> Lines(IterationRow row, IReadOnlyList<Measure> measures)
    {
        if (!row.Measures.Keys.ToHashSet().SetEquals(measures.Select(measure => measure.Name)))
            throw new ArgumentException(
                $"{row.Arm}, iteration {row.Iteration}, has other measures than its experiment: {string.Join(", ", row.Measures.Keys)}.",
                nameof(row));
        return measures.Select(measure =>
            Csv.Line([row.Arm, Text(row.Iteration), measure.Name, Text(row.Measures[measure.Name])]));
    }

    /// <summary>The measures of every row of iterations.csv; a line without a row is what a kill left, and counts nowhere.</summary>
    /// <exception cref="RecordException">A measure of a row is missing or there twice, or is none of the experiment.</exception>
    public static IReadOnlyList<IterationRow> Into(
        IReadOnlyList<IterationRow> rows, IReadOnlyList<Line> lines, IReadOnlyList<Measure> measures)
    {
        if (lines.FirstOrDefault(line => measures.All(measure => measure.Name != line.Measure)) is { } unknown)
            throw new RecordException(
                $"measures.csv has '{unknown.Measure}', which is no measure of the experiment: {RecordException.Mend}.");
        var written = lines.ToLookup(line => (line.Arm, line.Iteration));
        return [.. rows.Select(row => row with { Measures = Of(row, [.. written[(row.Arm, row.Iteration)]], measures) })];
    }

    public static Line Parse(CsvRow row) =>
        new(row.Text("arm"), row.Int("iteration"), row.Text("measure"), row.OptionalDouble("value"));

    private static Dictionary<string, double?> Of(IterationRow row, Line[] lines, IReadOnlyList<Measure> measures) =>
        measures.ToDictionary(measure => measure.Name, measure => lines.Where(line => line.Measure == measure.Name).ToArray() is [var one]
            ? one.Value
            : throw new RecordException(
                $"measures.csv must have '{measure.Name}' of {row.Arm}, iteration {row.Iteration}, once: {RecordException.Mend}."));

    /// <param name="Arm">With the iteration the key of its row in iterations.csv.</param>
    /// <param name="Iteration">From 1.</param>
    /// <param name="Measure">Its name.</param>
    /// <param name="Value">Null: the trial has none.</param>
    public sealed record Line(string Arm, int Iteration, string Measure, double? Value);
}
