using System.Text.Json;

namespace PubSubOverWs.LocalSqs;

/// <summary>SendMessage and SendMessageBatch, with the rules of SQS for a message to send.</summary>
internal static class SendOperations
{
    private const int MaxGroupIdLength = 128;

    public static void SendMessage(SqsCall call)
    {
        var entry = new SendFields();
        var queue = Batches.ReadOne(call, entry);
        if (FaultIn(entry, queue.Settings) is { } fault)
            throw fault;
        WriteSent(call.Answer, queue.Send([entry.ToMessage()]), entry);
    }

    public static void SendMessageBatch(SqsCall call)
    {
        var entries = new List<SendFields>(SqsLimit.BatchEntries);
        var failures = new List<(string?, SqsErrorException)>();
        var queue = Batches.Read(call, entries);
        if (entries.Sum(entry => entry.Length) is var length and > SqsLimit.MessageBytes)
        {
            throw new SqsErrorException(
                SqsError.BatchRequestTooLong,
                $"Batch requests cannot be longer than {SqsLimit.MessageBytes} bytes. You have sent {length} bytes.");
        }
        // Read once: someone may change them meanwhile.
        var settings = queue.Settings;
        var good = new List<SendFields>(entries.Count);
        foreach (var entry in entries)
        {
            if (FaultIn(entry, settings) is { } fault)
                failures.Add((entry.Id, fault));
            else
                good.Add(entry);
        }
        if (good.Count > 0)
            Send(call.Answer, queue, good);
        Batches.WriteFailed(call.Answer, failures);
    }

    private static void Send(Utf8JsonWriter answer, QueueInMemory queue, List<SendFields> entries)
    {
        var number = queue.Send([.. entries.Select(entry => entry.ToMessage())]);
        answer.WriteStartArray("Successful"u8);
        foreach (var entry in entries)
        {
            answer.WriteStartObject();
            answer.WriteString("Id"u8, entry.Id);
            WriteSent(answer, number++, entry);
            answer.WriteEndObject();
        }
        answer.WriteEndArray();
    }

    private static void WriteSent(Utf8JsonWriter answer, ulong number, SendFields entry)
    {
        answer.WriteMessageId(number);
        answer.WriteMd5("MD5OfMessageBody"u8, entry.Body!.Value.Md5);
        if (entry.Attributes is { } attributes)
            answer.WriteMd5("MD5OfMessageAttributes"u8, attributes.Md5);
    }

    /// <summary>Why the queue refuses the message; null: it takes it.</summary>
    private static SqsErrorException? FaultIn(SendFields entry, QueueSettings settings)
    {
        if (!entry.HasBody)
            return new SqsErrorException(SqsError.MissingParameter, "The request must contain the parameter MessageBody.");
        if (entry.Body is not { } body)
            return new SqsErrorException(
                SqsError.InvalidMessageContents,
                "Invalid characters found. Valid unicode characters are "
                    + "#x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF.");
        if (body.Length == 0)
            return new SqsErrorException(SqsError.MissingParameter, "The request must contain the parameter MessageBody: it is empty.");
        if (entry.AttributesFault is { } fault)
            return Invalid(fault);
        if (entry.Length > settings.MaximumMessageSize)
            return Invalid(
                $"One or more parameters are invalid. Reason: Message must be shorter than {settings.MaximumMessageSize} bytes.");
        if (entry.DelaySeconds is < 0 or > 900)
            return Invalid(
                $"Value {entry.DelaySeconds} for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= 900.");
        // Refused, not ignored: a receiver would miss them.
        if (entry.HasSystemAttributes)
            return new SqsErrorException(
                SqsError.UnsupportedOperation, "LocalSqs does not have message system attributes (AWSTraceHeader).");
        if (entry.GroupId is { } group && !IsGroupId(group))
            return Invalid(
                $"Value {group} for parameter MessageGroupId is invalid. Reason: MessageGroupId can only include alphanumeric and "
                    + "punctuation characters. 1 to 128 in length.");
        return entry.DeduplicationId is { } id
            ? Invalid(
                $"Value {id} for parameter MessageDeduplicationId is invalid. Reason: "
                    + "The request include parameter that is not valid for this queue type.")
            : null;
    }

    /// <summary>1 to 128 letters, digits and punctuation characters of ASCII.</summary>
    private static bool IsGroupId(string text) =>
        text.Length is >= 1 and <= MaxGroupIdLength && !text.AsSpan().ContainsAnyExceptInRange('!', '~');

    private static SqsErrorException Invalid(string message) => new(SqsError.InvalidParameterValue, message);
}
