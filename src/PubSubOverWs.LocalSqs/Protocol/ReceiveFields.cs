using System.Text.Json;

namespace PubSubOverWs.LocalSqs;

/// <summary>What a ReceiveMessage asks for, checked.</summary>
internal sealed class ReceiveFields
{
    public string? QueueUrl { get; private set; }

    public int Max { get; private set; } = 1;

    public int? WaitSeconds { get; private set; }

    public int? VisibilitySeconds { get; private set; }

    public bool SenderId { get; private set; }

    public bool SentTimestamp { get; private set; }

    public bool ReceiveCount { get; private set; }

    public bool FirstReceive { get; private set; }

    public bool AnyAttribute => SenderId || SentTimestamp || ReceiveCount || FirstReceive;

    /// <exception cref="SqsErrorException">A value is out of range.</exception>
    public static ReceiveFields Read(ReadOnlySpan<byte> request)
    {
        var fields = new ReceiveFields();
        var reader = new Utf8JsonReader(request);
        reader.ReadObject();
        while (reader.ReadProperty())
        {
            if (reader.ValueTextEquals("QueueUrl"u8))
                fields.QueueUrl = reader.ReadString();
            else if (reader.ValueTextEquals("MaxNumberOfMessages"u8))
                fields.Max = InRange(reader.ReadInteger(), "MaxNumberOfMessages", 1, SqsLimit.BatchEntries) ?? 1;
            else if (reader.ValueTextEquals("WaitTimeSeconds"u8))
                fields.WaitSeconds = InRange(reader.ReadInteger(), "WaitTimeSeconds", 0, 20);
            else if (reader.ValueTextEquals("VisibilityTimeout"u8))
                fields.VisibilitySeconds = InRange(reader.ReadInteger(), "VisibilityTimeout", 0, 43_200);
            else if (reader.ValueTextEquals("MessageSystemAttributeNames"u8) || reader.ValueTextEquals("AttributeNames"u8))
                fields.ReadNames(ref reader);
            else
                reader.SkipValue();
        }
        return fields;
    }

    private void ReadNames(ref Utf8JsonReader reader)
    {
        if (!reader.ReadArray())
            return;
        while (reader.Read() && reader.TokenType == JsonTokenType.String)
        {
            var all = reader.ValueTextEquals("All"u8);
            SenderId |= all || reader.ValueTextEquals("SenderId"u8);
            SentTimestamp |= all || reader.ValueTextEquals("SentTimestamp"u8);
            ReceiveCount |= all || reader.ValueTextEquals("ApproximateReceiveCount"u8);
            FirstReceive |= all || reader.ValueTextEquals("ApproximateFirstReceiveTimestamp"u8);
        }
        if (reader.TokenType != JsonTokenType.EndArray)
            throw new JsonException("An array of strings was expected.");
    }

    private static int? InRange(int? value, string parameter, int least, int most) =>
        value is null || (value >= least && value <= most)
            ? value
            : throw new SqsErrorException(
                SqsError.InvalidParameterValue,
                $"Value {value} for parameter {parameter} is invalid. Reason: Must be >= {least} and <= {most}, if provided.");
}
