using System.Xml.Linq;

namespace PubSubOverWs.Experiment.Documents;

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
