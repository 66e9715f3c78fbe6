using System.Xml;

namespace PubSubOverWs.Experiment.Documents;

/// <summary>Text that a page can hold, whatever a label or a message of an event brought with it.</summary>
internal static class PlainText
{
    /// <summary>What XML cannot hold becomes the replacement character; the rest is escaped when the page is written.</summary>
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
