using System.Globalization;
using System.Xml.Linq;

namespace PubSubOverWs.Experiment.Documents;

/// <summary>The body of an HTML page as it grows.</summary>
/// <param name="mark">Stands behind every heading.</param>
internal sealed class HtmlText(string mark = "") : IReportText
{
    private readonly List<XElement> _parts = [];
    private string _heading = "";

    /// <summary>What was written, in its order.</summary>
    public IReadOnlyList<XElement> Parts => _parts;

    /// <summary>Links to all sections.</summary>
    public XElement Contents => new("nav", new XAttribute(
        "aria-label", "Sections"), new XElement("ul", _parts.Where(part => part.Name == "h2").Select(part =>
        new XElement("li", new XElement("a", new XAttribute("href", $"#{part.Attribute("id")!.Value}"), part.Value)))));

    public IReportText Heading(int level, string text)
    {
        _heading = text;
        var id = string.Create(CultureInfo.InvariantCulture, $"part-{_parts.Count}");
        return Add(new XElement($"h{level}", new XAttribute("id", id), Inline(text + mark)));
    }

    public IReportText Paragraph(string text) => Add(new XElement("p", Inline(text)));

    /// <summary>The paragraph that says it all.</summary>
    public HtmlText Lead(string text) => Add(new XElement("p", new XAttribute("class", "found"), Inline(text)));

    /// <summary>A paragraph that nobody may miss.</summary>
    public HtmlText Warning(string text) =>
        Add(new XElement("p", new XAttribute("class", "warning"), new XAttribute("role", "note"), Inline(text)));

    public IReportText List(
        IEnumerable<string> items) => items.Select(item => new XElement("li", Inline(item))).ToArray() is { Length: > 0 } made
        ? Add(new XElement("ul", made))
        : this;

    public IReportText Table(IReadOnlyList<string> columns, IEnumerable<IReadOnlyList<string>> rows) =>
        rows.ToArray() is { Length: > 0 } all ? Add(HtmlTable.Of(_heading, columns, all)) : this;

    /// <summary>Figures that stand beside each other where there is room.</summary>
    public HtmlText Draw(params Figure[] figures) =>
        Add(new XElement("div", new XAttribute("class", figures.Length > 1 ? "beside" : "alone"), figures.Select(HtmlFigure.Of)));

    /// <summary>The text as it reads in HTML, with what stands between two asterisks made strong.</summary>
    public static IEnumerable<XNode> Inline(string text) => PlainText.Of(text).Split("**").Select((part, i) =>
        i % 2 == 0 ? (XNode)new XText(part) : new XElement("strong", part));

    private HtmlText Add(XElement part)
    {
        _parts.Add(part);
        return this;
    }
}

/// <summary>A table that scrolls by itself where the page is narrower than it is.</summary>
internal static class HtmlTable
{
    /// <param name="label">What is in it, for those who do not see where it stands.</param>
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

    // Ranges (1 to 2), deviations in brackets and the dash that stands for none are numbers too.
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
