namespace PubSubOverWs.Experiment.Documents;

/// <summary>A part of a report, the same in every format. Two asterisks before and behind a text make it stand out.</summary>
internal abstract record Block;

/// <param name="Level">1 for the title, 2 for a section, 3 for what is in it.</param>
/// <param name="Text">What it says.</param>
internal sealed record Heading(int Level, string Text) : Block;

internal sealed record Paragraph(string Text, Emphasis Emphasis = Emphasis.None) : Block;

internal sealed record BulletList(IEnumerable<string> Items) : Block;

/// <summary>Figures that stand beside each other where there is room; a format without drawings leaves them out.</summary>
internal sealed record Drawn(params IReadOnlyList<Figure> Figures) : Block;

/// <summary>A table; nothing where there are no rows.</summary>
internal sealed record Table(IReadOnlyList<string> Columns, IReadOnlyList<IReadOnlyList<string>> Rows) : Block
{
    /// <summary>Each column with what stands in it.</summary>
    public static Table Of<T>(IEnumerable<T> rows, params IReadOnlyList<(string Name, Func<T, string> Cell)> columns) => new(
        [.. columns.Select(column => column.Name)],
        [.. rows.Select(row => (IReadOnlyList<string>)[.. columns.Select(column => column.Cell(row))])]);
}

internal enum Emphasis
{
    None,

    /// <summary>The paragraph that says it all.</summary>
    Lead,

    /// <summary>A paragraph that nobody may miss.</summary>
    Warning,
}
