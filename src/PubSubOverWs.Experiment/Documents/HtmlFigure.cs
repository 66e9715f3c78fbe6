using System.Xml.Linq;

namespace PubSubOverWs.Experiment.Documents;

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
