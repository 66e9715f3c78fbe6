using System.Text.Json;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LocalSqs;

/// <summary>The validated parameters of a ReceiveMessage.</summary>
internal sealed class ReceiveFields
{
    private readonly List<string> _attributes = [];

    public string? QueueUrl { get; private set; }

    public int Max { get; private set; } = 1;

    public int? WaitSeconds { get; private set; }

    public int? VisibilitySeconds { get; private set; }

    public SystemAttributes SystemAttributes { get; private set; }

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
                fields.ReadSystem(ref reader);
            else if (reader.ValueTextEquals("MessageAttributeNames"u8))
                fields.ReadAttributes(ref reader);
            else
                reader.SkipValue();
        }
        return fields;
    }

    /// <summary>The requested attributes of a message; null: none.</summary>
    public MessageAttributes? Select(MessageAttributes? attributes) => _attributes.Count == 0 ? null : attributes?.Where(IsWanted);

    private bool IsWanted(string name) => _attributes.Exists(wanted =>
        wanted is "All" or "*" || wanted == name
        || (wanted.EndsWith(".*", StringComparison.Ordinal) && name.AsSpan().StartsWith(wanted.AsSpan(..^2), StringComparison.Ordinal)));

    private void ReadSystem(ref Utf8JsonReader reader)
    {
        if (!reader.ReadArray())
            return;
        while (reader.ReadText())
        {
            SystemAttributes |= reader.ValueTextEquals("All"u8) ? SystemAttributes.All
                : reader.ValueTextEquals("SenderId"u8) ? SystemAttributes.SenderId
                : reader.ValueTextEquals("SentTimestamp"u8) ? SystemAttributes.SentTimestamp
                : reader.ValueTextEquals("ApproximateReceiveCount"u8) ? SystemAttributes.ReceiveCount
                : reader.ValueTextEquals("ApproximateFirstReceiveTimestamp"u8) ? SystemAttributes.FirstReceive
                : reader.ValueTextEquals("MessageGroupId"u8) ? SystemAttributes.GroupId
                : SystemAttributes.None;
        }
    }

    private void ReadAttributes(ref Utf8JsonReader reader)
    {
        if (!reader.ReadArray())
            return;
        while (reader.ReadText())
            _attributes.Add(reader.GetString()!);
    }

    private static int? InRange(int? value, string parameter, int min, int max) =>
        value is null || (value >= min && value <= max)
            ? value
            : throw new SqsErrorException(
                SqsError.InvalidParameterValue,
                $"Value {value} for parameter {parameter} is invalid. Reason: Must be >= {min} and <= {max}, if provided.");
}

/// <summary>The attributes that the queue gives a message, and that a receive may ask for.</summary>
[Flags]
internal enum SystemAttributes
{
    None = 0,
    SenderId = 1,
    SentTimestamp = 2,
    ReceiveCount = 4,
    FirstReceive = 8,
    GroupId = 16,
    All = SenderId | SentTimestamp | ReceiveCount | FirstReceive | GroupId,
}
