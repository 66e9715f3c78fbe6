using System.Text;

namespace PubSubOverWs.Experiment.Formats;

/// <summary>Lines with their end: TextReader.ReadLine does not tell a whole last line from a cut one.</summary>
internal static class Lines
{
    /// <summary>No line of a record is longer: a histogram has at most 250,000 characters, a row 1,000.</summary>
    public const int MostLength = 1 << 20;

    /// <summary>
    /// The next line without its end. Null text: there is none. Not ended: the file stops in the middle of it, or it is longer than any.
    /// </summary>
    public static (string? Text, bool Ended) Next(TextReader reader)
    {
        var line = new StringBuilder();
        try
        {
            for (var c = reader.Read(); c >= 0; c = reader.Read())
            {
                if (c == '\n')
                    return (line.ToString().TrimEnd('\r'), true);
                if (line.Length == MostLength)
                    return (line.ToString(), false);
                line.Append((char)c);
            }
        }
        catch (InvalidDataException)
        {
            // A compressed file that stops or is damaged in the middle: what came is no whole line.
            return (line.ToString(), false);
        }

        return line.Length == 0 ? (null, false) : (line.ToString(), false);
    }
}
