using System.Text;

namespace PubSubOverWs.Experiment.Documents;

/// <summary>Markdown as it grows. Line ends are \n on every system.</summary>
/// <param name="mark">Stands behind every heading.</param>
internal sealed class MarkdownText(string mark = "") : IReportText
{
    private readonly StringBuilder _text = new();

    public IReportText Heading(int level, string text) => Line($"{new string('#', level)} {text}{mark}").Line("");

    public IReportText Paragraph(string text) => Line(text).Line("");

    public IReportText List(IEnumerable<string> items)
    {
        foreach (var item in items)
            Line($"- {item}");
        return Line("");
    }

    public IReportText Table(IReadOnlyList<string> columns, IEnumerable<IReadOnlyList<string>> rows)
    {
        var all = rows.ToArray();
        if (all.Length == 0)
            return this;
        Row(columns);
        Row([.. columns.Select(_ => "---")]);
        foreach (var row in all)
            Row(row);
        return Line("");
    }

    // One blank line between parts, none at the end.
    public override string ToString() => _text.ToString().TrimEnd('\n') + "\n";

    private void Row(IReadOnlyList<string> cells) =>
        Line($"| {string.Join(" | ", cells.Select(cell => cell.Replace("|", "\\|", StringComparison.Ordinal)))} |");

    private MarkdownText Line(string text)
    {
        _text.Append(text).Append('\n');
        return this;
    }
}
