using System.Text.RegularExpressions;

namespace PubSubOverWs.Report.Documents;

/// <summary>Blocks as an HTML page, with links to its sections before the first.</summary>
internal static partial class HtmlText
{
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
    public static IEnumerable<XNode> Inline(string text) => PlainText.From(text).Split("**").SelectMany((part, i) =>
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
        Table { Rows.Count: > 0 } table => HtmlTable.From(heading, table.Columns, table.Rows),
        Drawn { Figures: var figures } => new XElement(
            "div", new XAttribute("class", figures.Count > 1 ? "beside" : "alone"), figures.Select(HtmlFigure.From)),
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
