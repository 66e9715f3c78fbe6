using System.Text.Json;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LocalSqs;

/// <summary>One message attribute of a request.</summary>
internal sealed class AttributeFields(string name)
{
    public string Name { get; } = name;

    public string? DataType { get; private set; }

    /// <summary>In UTF-8; null: there is none, or it has forbidden characters.</summary>
    public byte[]? Text { get; private set; }

    public bool HasForbiddenCharacters { get; private set; }

    public byte[]? Bytes { get; private set; }

    /// <summary>The protocol has fields for lists, and SQS accepts none.</summary>
    public bool HasList { get; private set; }

    /// <summary>
    /// The attributes of a message to send; the reader stands on <c>MessageAttributes</c>. Null: there are none, or SQS does not accept
    /// them.
    /// </summary>
    /// <param name="reader">Of the request.</param>
    /// <param name="fault">Why SQS does not accept them; null: it does.</param>
    public static MessageAttributes? ReadAll(ref Utf8JsonReader reader, out string? fault)
    {
        fault = null;
        reader.Read();
        if (reader.TokenType == JsonTokenType.Null)
            return null;
        if (reader.TokenType != JsonTokenType.StartObject)
            throw new JsonException("An object was expected.");
        var attributes = new List<AttributeFields>();
        while (reader.ReadProperty())
            attributes.Add(Read(ref reader));
        fault = AttributeRules.FaultIn(attributes);
        return fault is not null || attributes.Count == 0
            ? null
            : new MessageAttributes(
                attributes.Select(fields => new AttributeEntry(fields.Name, fields.DataType!, (fields.Text ?? fields.Bytes)!)));
    }

    /// <summary>The reader stands on the attribute's name.</summary>
    private static AttributeFields Read(ref Utf8JsonReader reader)
    {
        var fields = new AttributeFields(reader.GetString()!);
        reader.ReadObject();
        while (reader.ReadProperty())
            fields.ReadProperty(ref reader);
        return fields;
    }

    private void ReadProperty(ref Utf8JsonReader reader)
    {
        if (reader.ValueTextEquals("DataType"u8))
            DataType = reader.ReadString();
        else if (reader.ValueTextEquals("StringValue"u8))
            ReadText(ref reader);
        else if (reader.ValueTextEquals("BinaryValue"u8))
            ReadBytes(ref reader);
        else if (reader.ValueTextEquals("StringListValues"u8) || reader.ValueTextEquals("BinaryListValues"u8))
            ReadList(ref reader);
        else
            reader.SkipValue();
    }

    private void ReadText(ref Utf8JsonReader reader)
    {
        reader.Read();
        if (reader.TokenType == JsonTokenType.Null)
            return;
        if (reader.TokenType != JsonTokenType.String)
            throw new JsonException("A string was expected.");
        Text = MessageText.ReadUtf8(ref reader);
        HasForbiddenCharacters = Text is null;
    }

    private void ReadBytes(ref Utf8JsonReader reader)
    {
        reader.Read();
        if (reader.TokenType == JsonTokenType.Null)
            return;
        if (reader.TokenType != JsonTokenType.String || !reader.TryGetBytesFromBase64(out var bytes))
            throw new JsonException("A string in Base64 was expected.");
        Bytes = bytes;
    }

    private void ReadList(ref Utf8JsonReader reader)
    {
        if (!reader.ReadArray())
            return;
        while (reader.ReadText())
            HasList = true;
    }
}
