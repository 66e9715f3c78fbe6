using System.Text.RegularExpressions;

namespace PubSubOverWs.Report.Documents;

/// <summary>Blocks as an HTML page, with links to its sections before the first.</summary>
internal static partial class HtmlText
{
    /// <param name="title">Of the page.</param>
    /// <param name="blocks">In their order.</param>
    /// <param name="mark">Stands behind every heading.</param>
    public static string Write(string title, IEnumerable<Block> blocks, string mark)
    {
        var parts = new List<XElement>();
        var heading = "";
        foreach (var block in blocks)
        {
            heading = block is Heading { Text: var text } ? text : heading;
            if (Part(block, heading, parts.Count, mark) is { } part)
                parts.Add(part);
        }
        var sections = parts.FindIndex(part => part.Name == "h2");
        return HtmlPage.Write(title, [.. parts[..sections], Contents(parts), .. parts[sections..]]);
    }

    /// <summary>The text as HTML, with **emphasis** and [links](#id) within the page.</summary>
    public static IEnumerable<XNode> Inline(string text) => PlainText.Of(text).Split("**").SelectMany((part, i) =>
        i % 2 == 0 ? Links(part) : [new XElement("strong", Links(part))]);

    private static IEnumerable<XNode> Links(string text)
    {
        var from = 0;
        foreach (Match link in Link().Matches(text))
        {
            yield return new XText(text[from..link.Index]);
            yield return new XElement("a", new XAttribute("href", link.Groups["target"].Value), link.Groups["text"].Value);
            from = link.Index + link.Length;
        }

        yield return new XText(text[from..]);
    }

    [GeneratedRegex(@"\[(?<text>[^\[\]]+)\]\((?<target>#[a-z]+)\)")]
    private static partial Regex Link();

    private static XElement? Part(Block block, string heading, int number, string mark) => block switch
    {
        Heading one => new XElement(
            FormattableString.Invariant($"h{one.Level}"),
            new XAttribute("id", one.Id ?? $"part-{number}"), Inline(one.Id is null ? one.Text + mark : one.Text)),
        Paragraph one => new XElement("p", Look(one.Emphasis), Inline(one.Text)),
        BulletList list when list.Items.Select(item => new XElement("li", Inline(item))).ToArray() is { Length: > 0 } items =>
            new XElement("ul", items),
        Table { Rows.Count: > 0 } table => HtmlTable.Of(heading, table.Columns, table.Rows),
        Drawn { Figures: var figures } => new XElement(
            "div", new XAttribute("class", figures.Count > 1 ? "beside" : "alone"), figures.Select(HtmlFigure.Of)),
        _ => null,
    };

    private static XAttribute[] Look(Emphasis emphasis) => emphasis switch
    {
        Emphasis.Lead => [new("class", "found")],
        Emphasis.Warning => [new("class", "warning"), new("role", "note")],
        _ => [],
    };

    private static XElement Contents(IEnumerable<XElement> parts) => new(
        "nav",
        new XAttribute("aria-label", "Sections"),
        new XElement("ul", parts.Where(part => part.Name == "h2").Select(part =>
            new XElement("li", new XElement("a", new XAttribute("href", $"#{part.Attribute("id")!.Value}"), part.Value)))));
}

/// <summary>A table that scrolls by itself where the page is narrower than it is.</summary>
internal static class HtmlTable
{
    /// <param name="label">Its content, for screen readers.</param>
    /// <param name="columns">Their headings.</param>
    /// <param name="rows">The first cell of each is its heading.</param>
    public static XElement Of(string label, IReadOnlyList<string> columns, IReadOnlyList<IReadOnlyList<string>> rows) => new(
        "div",
        new XAttribute("class", "scroll"),
        new XAttribute("role", "region"),
        new XAttribute("tabindex", "0"),
        new XAttribute("aria-label", PlainText.Of(label)),
        new XElement(
            "table",
            new XElement("thead", new XElement("tr", columns.Select((column, i) =>
                new XElement(
                    "th", new XAttribute("scope", "col"), Class(rows.All(row => IsNumber(row[i])) ? null : "text"),
                    HtmlText.Inline(column))))),
            new XElement("tbody", rows.Select(row => new XElement("tr", row.Select(Cell))))));

    private static XElement Cell(string text, int column) => new(
        column == 0 ? "th" : "td",
        column == 0 ? new XAttribute("scope", "row") : null,
        Class(IsNumber(text) ? null : text.Length > 40 ? "text long" : "text"),
        HtmlText.Inline(text));

    private static XAttribute? Class(string? name) => name is null ? null : new XAttribute("class", name);

    // Ranges (1 to 2), deviations in brackets and the dash for a missing number count as numbers.
    private static bool IsNumber(string text) =>
        text == Format.None
            || (text.Any(char.IsAsciiDigit) && text.All(letter => char.IsAsciiDigit(letter) || " .,-+()%<eto".Contains(letter)));
}

/// <summary>A figure with its legend, its drawings, and its tables folded away below.</summary>
internal static class HtmlFigure
{
    public static XElement Of(Figure figure) => new(
        "figure",
        new XAttribute("id", figure.Id),
        new XElement("figcaption", new XElement("h3", figure.Title), new XElement("p", figure.Caption)),
        new XElement("ul", new XAttribute("class", "keys"), figure.Keys.Select(Key)),
        new XElement("div", new XAttribute("class", "drawings"), figure.Drawings),
        figure.Tables.Where(table => table.Rows.Count > 0).Select(table => new XElement(
            "details",
            new XElement("summary", $"Table: {table.Title}"),
            HtmlTable.Of(table.Title, table.Columns, table.Rows))));

    private static XElement Key((XElement Mark, string Text) key) => new(
        "li",
        new XElement(
            "svg",
            new XAttribute("viewBox", "0 0 16 12"),
            new XAttribute("width", 16),
            new XAttribute("height", 12),
            new XAttribute("aria-hidden", "true"),
            key.Mark),
        new XElement("span", key.Text));
}
