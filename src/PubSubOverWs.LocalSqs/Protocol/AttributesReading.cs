using System.Text.Json;

namespace PubSubOverWs.LocalSqs;

/// <summary>Reads the attributes of a message to send.</summary>
internal static class AttributesReading
{
    /// <summary>The reader stands on <c>MessageAttributes</c>. Null: there are none, or SQS does not accept them.</summary>
    /// <param name="fault">Why SQS does not accept them; null: it does.</param>
    public static MessageAttributes? Read(ref Utf8JsonReader reader, out string? fault)
    {
        fault = null;
        reader.Read();
        if (reader.TokenType == JsonTokenType.Null)
            return null;
        if (reader.TokenType != JsonTokenType.StartObject)
            throw new JsonException("An object was expected.");
        var attributes = new List<AttributeFields>();
        while (reader.ReadProperty())
            attributes.Add(AttributeFields.Read(ref reader));
        fault = FaultIn(attributes);
        return fault is not null || attributes.Count == 0
            ? null
            : new MessageAttributes(
                attributes.Select(fields => new AttributeEntry(fields.Name, fields.DataType!, (fields.Text ?? fields.Bytes)!)));
    }

    private static string? FaultIn(List<AttributeFields> attributes)
    {
        if (attributes.Count > SqsLimit.MessageAttributes)
            return $"Number of message attributes [{attributes.Count}] exceeds the allowed maximum [{SqsLimit.MessageAttributes}].";
        if (attributes.GroupBy(fields => fields.Name).FirstOrDefault(named => named.Count() > 1) is { } repeated)
            return $"Message (user) attribute name '{repeated.Key}' is invalid: it is there more than once.";
        return attributes.Select(AttributeRules.FaultIn).FirstOrDefault(fault => fault is not null);
    }
}
