using System.Text;
using System.Xml;
using System.Xml.Linq;

namespace PubSubOverWs.LocalSqs;

/// <summary>The elements of answers of SNS.</summary>
internal static class AnswerXml
{
    private static readonly XNamespace Namespace = "http://sns.amazonaws.com/doc/2010-03-31/";

    private static readonly XmlWriterSettings Settings = new() { Encoding = new UTF8Encoding(false), OmitXmlDeclaration = true };

    /// <param name="name">Of the element.</param>
    /// <param name="content">A text, elements, or null.</param>
    public static XElement Element(string name, params object?[] content) => new(Namespace + name, content);

    /// <summary>A map, as SNS writes its attributes.</summary>
    public static XElement Map(string name, params (string Key, string Value)[] entries) =>
        Element(name,
            entries.Select(entry => Element("entry", Element("key", entry.Key), Element("value", entry.Value))).ToArray<object>());

    public static XElement Error(string code, int status, string message, string requestId) => Element(
        "ErrorResponse",
        // A message may repeat the caller's text, and XML does not allow all characters of it.
        Element("Error", Element("Type", status < StatusCodes.Status500InternalServerError ? "Sender" : "Receiver"), Element("Code", code),
            Element("Message", string.Concat(message.Where(XmlConvert.IsXmlChar)))),
        Element("RequestId", requestId));

    public static XElement Answer(string action, object? result, string requestId) => Element(
        $"{action}Response",
        result is null ? null : Element($"{action}Result", result),
        Element("ResponseMetadata", Element("RequestId", requestId)));

    public static byte[] Write(XElement answer)
    {
        using var stream = new MemoryStream();
        using (var writer = XmlWriter.Create(stream, Settings))
            answer.WriteTo(writer);
        return stream.ToArray();
    }
}
