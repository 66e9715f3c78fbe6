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
                new XElement("title", PlainText.Of(title)),
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
    public static string Of(string text)
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
