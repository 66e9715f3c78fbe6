using System.Xml.Linq;

namespace PubSubOverWs.Experiment.Reports.Html;

/// <summary>A table that scrolls by itself where the page is narrower than it is.</summary>
internal static class HtmlTable
{
    /// <param name="label">What is in it, for those who do not see where it stands.</param>
    /// <param name="columns">Their headings.</param>
    /// <param name="rows">The first cell of each is its heading.</param>
    public static XElement Of(string label, IReadOnlyList<string> columns, IEnumerable<IReadOnlyList<string>> rows) => new(
        "div",
        new XAttribute("class", "scroll"),
        new XAttribute("role", "region"),
        new XAttribute("tabindex", "0"),
        new XAttribute("aria-label", PlainText.Of(label)),
        new XElement(
            "table",
            new XElement("thead", new XElement("tr", columns.Select(column =>
                new XElement("th", new XAttribute("scope", "col"), HtmlText.Inline(column))))),
            new XElement("tbody", rows.Select(row => new XElement("tr", row.Select(Cell))))));

    private static XElement Cell(string text, int column) => new(
        column == 0 ? "th" : "td",
        column == 0 ? new XAttribute("scope", "row") : null,
        IsNumber(text) ? new XAttribute("class", "number") : text.Length > 60 ? new XAttribute("class", "long") : null,
        HtmlText.Inline(text));

    // Ranges (1 to 2), deviations in brackets and the dash that stands for none are numbers too.
    private static bool IsNumber(string text) =>
        text == Show.None || (text.Any(char.IsAsciiDigit) && text.All(letter => char.IsAsciiDigit(letter) || " .,-+()%<eto".Contains(letter)));
}
