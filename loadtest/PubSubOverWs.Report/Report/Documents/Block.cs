namespace PubSubOverWs.Report.Documents;

/// <summary>A part of a report, independent of its format. Inline text has **emphasis** and [links](#id).</summary>
internal abstract record Block;

/// <param name="Level">1 for the title, 2 for a section, 3 for a subsection.</param>
/// <param name="Id">The target of links to it; null: it has none.</param>
internal sealed record Heading(int Level, string Text, string? Id = null) : Block;

internal sealed record Paragraph(string Text, Emphasis Emphasis = Emphasis.None) : Block;

/// <param name="IsVerbatim">True: its words are from before the run, and no links are added.</param>
internal sealed record BulletList(IEnumerable<string> Items, bool IsVerbatim = false) : Block;

/// <summary>Figures, side by side if there is room; a format without drawings omits them.</summary>
internal sealed record Drawn(params IReadOnlyList<Figure> Figures) : Block;

/// <summary>A table; nothing where there are no rows.</summary>
internal sealed record Table(IReadOnlyList<string> Columns, IReadOnlyList<IReadOnlyList<string>> Rows) : Block
{
    public static Table From<T>(IEnumerable<T> rows, params IReadOnlyList<(string Name, Func<T, string> Cell)> columns) => new(
        [.. columns.Select(column => column.Name)],
        [.. rows.Select(row => (IReadOnlyList<string>)[.. columns.Select(column => column.Cell(row))])]);
}

internal enum Emphasis
{
    None,

    /// <summary>The summary of the report.</summary>
    Lead,

    /// <summary>A paragraph that no reader may miss.</summary>
    Warning,
}

/// <summary>Drawings of one subject, and tables of the same numbers.</summary>
/// <param name="Id">Unique in the page.</param>
/// <param name="Keys">The legend: a sample of each mark, and its meaning.</param>
/// <param name="Drawings">At least one.</param>
internal sealed record Figure(
    string Id, string Title, string Caption, IReadOnlyList<(XElement Mark, string Text)> Keys, IReadOnlyList<XElement> Drawings,
    IReadOnlyList<FigureTable> Tables);

internal sealed record FigureTable(string Title, IReadOnlyList<string> Columns, IReadOnlyList<IReadOnlyList<string>> Rows);

/// <summary>Classes of the page's style.</summary>
internal static class ArmStyle
{
    public const string First = "first";
    public const string Second = "second";
    public const string Other = "floor";
}

/// <summary>Blocks as Markdown. Line ends are \n on every system.</summary>
internal static class MarkdownText
{
    /// <param name="mark">Added to every heading without an id.</param>
    /// <returns>One blank line between parts, none at the end.</returns>
    public static string Write(IEnumerable<Block> blocks, string mark = "") =>
        string.Concat(blocks.SelectMany(block => Lines(block, mark)).Select(line => line + "\n")).TrimEnd('\n') + "\n";

    private static IEnumerable<string> Lines(Block block, string mark) => block switch
    {
        Heading { Id: null } heading => [$"{new string('#', heading.Level)} {heading.Text}{mark}", ""],
        // A mark would change its anchor, which is its text in small letters.
        Heading heading => [$"{new string('#', heading.Level)} {heading.Text}", ""],
        Paragraph paragraph => [paragraph.Text, ""],
        BulletList list => [.. list.Items.Select(item => $"- {item}"), ""],
        Table { Rows.Count: > 0 } table =>
            [Row(table.Columns), Row(table.Columns.Select(_ => "---")), .. table.Rows.Select(Row), ""],
        _ => [],
    };

    private static string Row(IEnumerable<string> cells) =>
        $"| {string.Join(" | ", cells.Select(cell => cell.Replace("|", "\\|", StringComparison.Ordinal)))} |";
}
