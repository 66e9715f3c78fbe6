using System.Text.Json;

namespace PubSubOverWs.Sqs;

/// <summary>The steps of reading an answer. Each throws <see cref="JsonException"/> on anything else.</summary>
internal static class JsonReading
{
    public static void ReadObject(this ref Utf8JsonReader reader)
    {
        if (!reader.Read() || reader.TokenType != JsonTokenType.StartObject)
            throw new JsonException("An object was expected.");
    }

    /// <summary>Goes to the next property name; false at the end of the object.</summary>
    public static bool ReadProperty(this ref Utf8JsonReader reader) => reader.Read() && reader.TokenType == JsonTokenType.PropertyName;

    /// <summary>False: it is null.</summary>
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

    public static void SkipValue(this ref Utf8JsonReader reader)
    {
        reader.Read();
        reader.Skip();
    }

    public static string? ReadString(this ref Utf8JsonReader reader)
    {
        reader.Read();
        return reader.TokenType is JsonTokenType.String or JsonTokenType.Null
            ? reader.GetString()
            : throw new JsonException("A string was expected.");
    }

    public static bool ReadBoolean(this ref Utf8JsonReader reader)
    {
        reader.Read();
        return reader.TokenType is JsonTokenType.True or JsonTokenType.False
            ? reader.GetBoolean()
            : throw new JsonException("True or false was expected.");
    }

    /// <summary>The text as UTF-8, unescaped, in its own memory.</summary>
    public static ReadOnlyMemory<byte> ReadBytes(this ref Utf8JsonReader reader)
    {
        reader.Read();
        if (reader.TokenType != JsonTokenType.String)
            throw new JsonException("A string was expected.");
        if (!reader.ValueIsEscaped)
            return reader.ValueSpan.ToArray();
        // Only the unescaped text stays in memory.
        var unescaped = new byte[reader.ValueSpan.Length];
        return unescaped.AsSpan(0, reader.CopyString(unescaped)).ToArray();
    }

    /// <summary>32 hexadecimal digits. False: it is something else.</summary>
    public static bool ReadMd5(this ref Utf8JsonReader reader, scoped Span<byte> md5)
    {
        reader.Read();
        return reader.TokenType == JsonTokenType.String
            && Convert.FromHexString(reader.ValueSpan, md5, out _, out var written) == System.Buffers.OperationStatus.Done
            && written == md5.Length;
    }
}
