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
