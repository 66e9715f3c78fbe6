using System.Xml;

namespace PubSubOverWs.Report.Documents;

/// <summary>A self-contained file: no script, and no font or picture from elsewhere.</summary>
internal static class HtmlPage
{
    // Makes a browser refuse any other content that might get into the page.
    private const string Policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

    private static readonly XmlWriterSettings Lines = new()
    { OmitXmlDeclaration = true, Indent = true, IndentChars = "", NewLineChars = "\n", NewLineHandling = NewLineHandling.Replace };

    public static string Write(string title, IEnumerable<XElement> body)
    {
        var page = new XElement("html", new XAttribute("lang", "en"),
            new XElement("head",
                new XElement("meta", new XAttribute("charset", "utf-8")),
                new XElement("meta", new XAttribute("name", "viewport"), new XAttribute("content", "width=device-width, initial-scale=1")),
                new XElement("meta", new XAttribute("name", "color-scheme"), new XAttribute("content", "light dark")),
                new XElement("meta", new XAttribute("http-equiv", "Content-Security-Policy"), new XAttribute("content", Policy)),
                new XElement("link", new XAttribute("rel", "icon"), new XAttribute("href", "data:,")),
                new XElement("title", PlainText.From(title)),
                new XElement("style", Style())),
            new XElement("body", new XElement("main", body)));
        var text = new StringBuilder("<!DOCTYPE html>\n");
        using (var writer = XmlWriter.Create(text, Lines))
            page.Save(writer);
        return text.Append('\n').ToString();
    }

    private static string Style()
    {
        using var reader = new StreamReader(typeof(HtmlPage).Assembly.GetManifestResourceStream("report.css")!);
        return "\n" + reader.ReadToEnd().ReplaceLineEndings("\n");
    }
}

/// <summary>Text without characters that XML cannot hold, which a label or an event may contain.</summary>
internal static class PlainText
{
    /// <summary>Replaces what XML cannot hold; the rest is escaped when the page is written.</summary>
    public static string From(string text)
    {
        var characters = text.ToCharArray();
        for (var i = 0; i < characters.Length; i++)
        {
            if (i + 1 < characters.Length && XmlConvert.IsXmlSurrogatePair(characters[i + 1], characters[i]))
                i++;
            else if (!XmlConvert.IsXmlChar(characters[i]))
                characters[i] = '\uFFFD';
        }

        return new string(characters);
    }
}

/// <summary>A table that scrolls by itself where the page is narrower than it is.</summary>
internal static class HtmlTable
{
    /// <param name="label">Its content, for screen readers.</param>
    /// <param name="rows">The first cell of each is its heading.</param>
    public static XElement From(string label, IReadOnlyList<string> columns, IReadOnlyList<IReadOnlyList<string>> rows) => new(
        "div",
        new XAttribute("class", "scroll"),
        new XAttribute("role", "region"),
        new XAttribute("tabindex", "0"),
        new XAttribute("aria-label", PlainText.From(label)),
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
    public static XElement From(Figure figure) => new(
        "figure",
        new XAttribute("id", figure.Id),
        new XElement("figcaption", new XElement("h3", figure.Title), new XElement("p", figure.Caption)),
        new XElement("ul", new XAttribute("class", "keys"), figure.Keys.Select(Key)),
        new XElement("div", new XAttribute("class", "drawings"), figure.Drawings),
        figure.Tables.Where(table => table.Rows.Count > 0).Select(table => new XElement(
            "details",
            new XElement("summary", $"Table: {table.Title}"),
            HtmlTable.From(table.Title, table.Columns, table.Rows))));

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
