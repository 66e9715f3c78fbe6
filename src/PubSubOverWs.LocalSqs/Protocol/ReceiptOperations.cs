using System.Text.Json;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LocalSqs;

/// <summary>DeleteMessage(Batch) and ChangeMessageVisibility(Batch): the operations on received messages.</summary>
internal static class ReceiptOperations
{
    public static void DeleteMessage(SqsCall call) => ApplyToOne(call, Delete);

    public static void DeleteMessageBatch(SqsCall call) => ApplyToBatch(call, Delete);

    public static void ChangeMessageVisibility(SqsCall call) => ApplyToOne(call, ChangeVisibility);

    public static void ChangeMessageVisibilityBatch(SqsCall call) => ApplyToBatch(call, ChangeVisibility);

    private static SqsErrorException? Delete(QueueInMemory queue, ReceiptFields entry)
    {
        queue.Delete(entry.Handle);
        return null;
    }

    private static SqsErrorException? ChangeVisibility(QueueInMemory queue, ReceiptFields entry)
    {
        if (entry.VisibilitySeconds is not { } seconds)
            return new SqsErrorException(SqsError.MissingParameter, "The request must contain the parameter VisibilityTimeout.");
        if (seconds is < 0 or > 43_200)
            return Invalid("VisibilityTimeout must be an integer between 0 and 43200.");
        return queue.ChangeVisibility(entry.Handle, TimeSpan.FromSeconds(seconds)) switch
        {
            null => null,
            VisibilityRefusal.NotInFlight => new SqsErrorException(
                SqsError.MessageNotInflight, "The message referred to is not in flight."),
            VisibilityRefusal.BeyondLimit => Invalid("Total VisibilityTimeout for the message is beyond the limit [43200 seconds]"),
            _ => new SqsErrorException(
                SqsError.InvalidParameterValue,
                "Value for parameter ReceiptHandle is invalid. Reason: "
                    + "Message does not exist or is not available for visibility timeout change."),
        };

        SqsErrorException Invalid(string reason) => new(
            SqsError.InvalidParameterValue, $"Value {seconds} for parameter VisibilityTimeout is invalid. Reason: {reason}");
    }

    private static void ApplyToOne(SqsCall call, Func<QueueInMemory, ReceiptFields, SqsErrorException?> apply)
    {
        var entry = new ReceiptFields();
        var queue = Batches.ReadOne(call, entry);
        if ((entry.FaultIn(queue) ?? apply(queue, entry)) is { } fault)
            throw fault;
    }

    private static void ApplyToBatch(SqsCall call, Func<QueueInMemory, ReceiptFields, SqsErrorException?> apply)
    {
        var entries = new List<ReceiptFields>(SqsLimit.BatchEntries);
        var failures = new List<(string?, SqsErrorException)>();
        var queue = Batches.Read(call, entries);
        call.Answer.WriteStartArray("Successful"u8);
        foreach (var entry in entries)
        {
            if ((entry.FaultIn(queue) ?? apply(queue, entry)) is { } fault)
            {
                failures.Add((entry.Id, fault));
                continue;
            }
            call.Answer.WriteStartObject();
            call.Answer.WriteString("Id"u8, entry.Id);
            call.Answer.WriteEndObject();
        }
        call.Answer.WriteEndArray();
        Batches.WriteFailed(call.Answer, failures);
    }
}

/// <summary>One received message in a request and, for a change of visibility, how long it is to be hidden.</summary>
internal sealed class ReceiptFields : IEntry
{
    private bool _hasHandle;
    private bool _isHandle;

    public string? Id { get; private set; }

    public ReceiptHandle Handle { get; private set; }

    public int? VisibilitySeconds { get; private set; }

    /// <inheritdoc/>
    public void Read(ref Utf8JsonReader reader, ReadOnlySpan<byte> request)
    {
        if (reader.ValueTextEquals("Id"u8))
        {
            Id = reader.ReadString();
        }
        else if (reader.ValueTextEquals("ReceiptHandle"u8))
        {
            reader.Read();
            _hasHandle = reader.TokenType == JsonTokenType.String;
            // Our handles have no escapes: a handle with one is not ours.
            if (_hasHandle && ReceiptHandle.TryParse(reader.ValueSpan, out var handle))
                (_isHandle, Handle) = (true, handle);
        }
        else if (reader.ValueTextEquals("VisibilityTimeout"u8))
        {
            VisibilitySeconds = reader.ReadInteger();
        }
        else
        {
            reader.SkipValue();
        }
    }

    /// <summary>Why the handle is invalid; null: it names a receive of this queue.</summary>
    public SqsErrorException? FaultIn(QueueInMemory queue) =>
        !_hasHandle ? new SqsErrorException(SqsError.MissingParameter, "The request must contain the parameter ReceiptHandle.")
        : !_isHandle
            || Handle.Queue != queue.Id ? new SqsErrorException(SqsError.ReceiptHandleIsInvalid, "The input receipt handle is invalid.")
        : null;
}
