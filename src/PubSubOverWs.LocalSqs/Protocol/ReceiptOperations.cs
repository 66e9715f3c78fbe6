using System.Text.Json;

namespace PubSubOverWs.LocalSqs;

/// <summary>DeleteMessage(Batch) and ChangeMessageVisibility(Batch): the operations on received messages.</summary>
internal static class ReceiptOperations
{
    public static void DeleteMessage(SqsCall call) => One(call, Delete);

    public static void DeleteMessageBatch(SqsCall call) => Batch(call, Delete);

    public static void ChangeMessageVisibility(SqsCall call) => One(call, ChangeVisibility);

    public static void ChangeMessageVisibilityBatch(SqsCall call) => Batch(call, ChangeVisibility);

    private static SqsErrorException? Delete(QueueInMemory queue, ReceiptFields entry)
    {
        if (entry.FaultIn(queue) is { } fault)
            return fault;
        queue.Delete(entry.Handle);
        return null;
    }

    private static SqsErrorException? ChangeVisibility(QueueInMemory queue, ReceiptFields entry)
    {
        if (entry.FaultIn(queue) is { } fault)
            return fault;
        if (entry.VisibilitySeconds is not { } seconds)
            return new SqsErrorException(SqsError.MissingParameter, "The request must contain the parameter VisibilityTimeout.");
        if (seconds is < 0 or > 43_200)
        {
            return new SqsErrorException(
                SqsError.InvalidParameterValue,
                $"Value {seconds} for parameter VisibilityTimeout is invalid. Reason: "
                    + "VisibilityTimeout must be an integer between 0 and 43200.");
        }
        return queue.ChangeVisibility(entry.Handle, TimeSpan.FromSeconds(seconds)) switch
        {
            null => null,
            VisibilityRefusal.NotInFlight => new SqsErrorException(
                SqsError.MessageNotInflight, "The message referred to is not in flight."),
            VisibilityRefusal.BeyondLimit => new SqsErrorException(
                SqsError.InvalidParameterValue,
                $"Value {seconds} for parameter VisibilityTimeout is invalid. Reason: "
                    + "Total VisibilityTimeout for the message is beyond the limit [43200 seconds]"),
            _ => new SqsErrorException(
                SqsError.InvalidParameterValue,
                "Value for parameter ReceiptHandle is invalid. Reason: "
                    + "Message does not exist or is not available for visibility timeout change."),
        };
    }

    private static void One(SqsCall call, Func<QueueInMemory, ReceiptFields, SqsErrorException?> apply)
    {
        var entry = new ReceiptFields();
        string? queueUrl = null;
        var reader = new Utf8JsonReader(call.Request.Span);
        reader.ReadObject();
        while (reader.ReadProperty())
        {
            if (reader.ValueTextEquals("QueueUrl"u8))
                queueUrl = reader.ReadString();
            else
                entry.Read(ref reader);
        }
        if (apply(call.Queue(queueUrl), entry) is { } fault)
            throw fault;
    }

    private static void Batch(SqsCall call, Func<QueueInMemory, ReceiptFields, SqsErrorException?> apply)
    {
        var entries = new List<ReceiptFields>(SqsLimit.BatchEntries);
        string? queueUrl = null;
        var reader = new Utf8JsonReader(call.Request.Span);
        reader.ReadObject();
        while (reader.ReadProperty())
        {
            if (reader.ValueTextEquals("QueueUrl"u8))
                queueUrl = reader.ReadString();
            else if (reader.ValueTextEquals("Entries"u8))
                ReadEntries(ref reader, entries);
            else
                reader.SkipValue();
        }
        var queue = call.Queue(queueUrl);
        BatchRules.Check(entries, entry => entry.Id);
        WriteOutcomes(call.Answer, entries, entry => apply(queue, entry));
    }

    private static void WriteOutcomes(Utf8JsonWriter answer, List<ReceiptFields> entries, Func<ReceiptFields, SqsErrorException?> apply)
    {
        List<(string, SqsError, string)>? failures = null;
        answer.WriteStartArray("Successful"u8);
        foreach (var entry in entries)
        {
            if (apply(entry) is { } fault)
            {
                (failures ??= []).Add((entry.Id!, fault.Error, fault.Message));
                continue;
            }
            answer.WriteStartObject();
            answer.WriteString("Id"u8, entry.Id);
            answer.WriteEndObject();
        }
        answer.WriteEndArray();
        answer.WriteFailed(failures);
    }

    private static void ReadEntries(ref Utf8JsonReader reader, List<ReceiptFields> entries)
    {
        if (!reader.ReadArray())
            return;
        while (reader.ReadElement())
        {
            var entry = new ReceiptFields();
            while (reader.ReadProperty())
                entry.Read(ref reader);
            entries.Add(entry);
        }
    }
}
