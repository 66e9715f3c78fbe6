using System.Text.Json;

namespace PubSubOverWs.Sqs;

/// <summary>The steps of reading JSON, of the client and of LocalSqs. Each throws <see cref="JsonException"/> on anything else.</summary>
internal static class JsonReading
{
    public static void ReadObject(this ref Utf8JsonReader reader)
    {
        if (!reader.Read() || reader.TokenType != JsonTokenType.StartObject)
            throw new JsonException("A JSON object was expected.");
    }

    /// <summary>Goes to the next property name; false at the end of the object.</summary>
    public static bool ReadProperty(this ref Utf8JsonReader reader) => reader.Read() && reader.TokenType == JsonTokenType.PropertyName;

    /// <summary>Goes to the start of an array; false: it is null.</summary>
    public static bool ReadArray(this ref Utf8JsonReader reader)
    {
        reader.Read();
        return reader.TokenType switch
        {
            JsonTokenType.StartArray => true,
            JsonTokenType.Null => false,
            _ => throw new JsonException("An array was expected."),
        };
    }

    /// <summary>Enters the next object of the array; false at its end.</summary>
    public static bool ReadElement(this ref Utf8JsonReader reader)
    {
        reader.Read();
        return reader.TokenType switch
        {
            JsonTokenType.StartObject => true,
            JsonTokenType.EndArray => false,
            _ => throw new JsonException("An object was expected."),
        };
    }

    /// <summary>Goes to the next string of the array; false at its end.</summary>
    public static bool ReadText(this ref Utf8JsonReader reader)
    {
        reader.Read();
        return reader.TokenType switch
        {
            JsonTokenType.String => true,
            JsonTokenType.EndArray => false,
            _ => throw new JsonException("An array of strings was expected."),
        };
    }

    public static string? ReadString(this ref Utf8JsonReader reader)
    {
        reader.Read();
        return reader.TokenType is JsonTokenType.String or JsonTokenType.Null
            ? reader.GetString()
            : throw new JsonException("A string was expected.");
    }

    public static int? ReadInteger(this ref Utf8JsonReader reader)
    {
        reader.Read();
        return reader.TokenType switch
        {
            JsonTokenType.Null => null,
            JsonTokenType.Number when reader.TryGetInt32(out var number) => number,
            _ => throw new JsonException("A whole number was expected."),
        };
    }

    public static void SkipValue(this ref Utf8JsonReader reader)
    {
        reader.Read();
        reader.Skip();
    }
}
