using System.Runtime.InteropServices;
using System.Xml;
using System.Xml.Linq;

namespace PubSubOverWs.Sqs;

/// <summary>Reads the answers of SNS. Elements are found by their names, in any namespace.</summary>
internal static class AnswerXml
{
    private static readonly XmlReaderSettings Settings = new() { DtdProcessing = DtdProcessing.Prohibit, XmlResolver = null };

    /// <exception cref="XmlException">It is not XML.</exception>
    /// <exception cref="FormatException">It is not an answer to that operation.</exception>
    public static XElement Parse(ReadOnlyMemory<byte> answer, SqsOperation operation)
    {
        var root = Parse(answer);
        return root.Name.LocalName == $"{operation.Name}Response"
            ? root
            : throw new FormatException($"The answer is a {root.Name.LocalName}.");
    }

    /// <summary>The text of the first element of that name, anywhere within; null: there is none.</summary>
    public static string? Text(this XElement element, string name) =>
        element.Descendants().FirstOrDefault(inner => inner.Name.LocalName == name)?.Value;

    /// <summary>The text of the first element of that name.</summary>
    /// <exception cref="FormatException">There is none.</exception>
    public static string Needed(this XElement element, string name) =>
        element.Text(name) ?? throw new FormatException($"The answer lacks {name}.");

    /// <summary>The members of the list of that name; none when there is no list.</summary>
    public static IEnumerable<XElement> Members(this XElement element, string list) =>
        element.Descendants().FirstOrDefault(inner => inner.Name.LocalName == list)?.Elements() ?? [];

    /// <summary>
    /// <c>&lt;ErrorResponse&gt;&lt;Error&gt;&lt;Code&gt;NotFound&lt;/Code&gt;&lt;Message&gt;...</c>; a proxy may say anything.
    /// </summary>
    public static (string? Code, string? Message) ReadError(ReadOnlyMemory<byte> answer)
    {
        try
        {
            var error = Parse(answer);
            return (error.Text("Code"), error.Text("Message"));
        }
        catch (XmlException)
        {
            return default;
        }
    }

    private static XElement Parse(ReadOnlyMemory<byte> answer)
    {
        var bytes = MemoryMarshal.TryGetArray(answer, out var array) ? array : answer.ToArray();
        using var stream = new MemoryStream(bytes.Array!, bytes.Offset, bytes.Count, writable: false);
        using var reader = XmlReader.Create(stream, Settings);
        return XElement.Load(reader);
    }
}
