using System.Text.Json;

namespace PubSubOverWs.Sqs;

/// <summary>
/// Checks that an answer has the shape that the SDK expects. On a number in place of a list or a map its reader (AWSSDK.Core 4.0.102)
/// loops for ever and takes all memory; it reports any other error by itself.
/// </summary>
internal static class AnswerShape
{
    /// <exception cref="JsonException">The SDK must not read it.</exception>
    public static void Check(ReadOnlySpan<byte> json)
    {
        var reader = new Utf8JsonReader(json);
        reader.ReadObject();
        CheckMembers(ref reader);
    }

    private static void CheckMembers(ref Utf8JsonReader reader)
    {
        while (reader.ReadProperty())
        {
            if (reader.ValueTextEquals("Messages"u8) || reader.ValueTextEquals("Successful"u8) || reader.ValueTextEquals("Failed"u8))
                CheckObjects(ref reader);
            else if (reader.ValueTextEquals("Attributes"u8) || reader.ValueTextEquals("MessageAttributes"u8))
                CheckContainer(ref reader, JsonTokenType.StartObject);
            else if (reader.ValueTextEquals("QueueUrls"u8))
                CheckContainer(ref reader, JsonTokenType.StartArray);
            else
                reader.SkipValue();
        }
    }

    private static void CheckObjects(ref Utf8JsonReader reader)
    {
        if (!reader.ReadArray())
            return;
        while (reader.ReadElement())
            CheckMembers(ref reader);
    }

    private static void CheckContainer(ref Utf8JsonReader reader, JsonTokenType start)
    {
        reader.Read();
        if (reader.TokenType != start && reader.TokenType != JsonTokenType.Null)
            throw new JsonException("A list or a map was expected.");
        reader.Skip();
    }
}
