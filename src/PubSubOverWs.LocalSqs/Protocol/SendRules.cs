namespace PubSubOverWs.LocalSqs;

/// <summary>The rules of SQS for a message to send.</summary>
internal static class SendRules
{
    private const int LongestId = 128;

    /// <summary>Why the queue refuses the message; null: it takes it.</summary>
    public static SqsErrorException? FaultIn(SendFields entry, QueueSettings settings)
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
        if (entry.GroupId is { } group && !IsId(group))
            return Invalid(
                $"Value {group} for parameter MessageGroupId is invalid. Reason: MessageGroupId can only include alphanumeric and "
                    + "punctuation characters. 1 to 128 in length.");
        return entry.DeduplicationId is { } id
            ? Invalid(
                $"Value {id} for parameter MessageDeduplicationId is invalid. Reason: "
                    + "The request include parameter that is not valid for this queue type.")
            : null;
    }

    /// <summary>The rules for a batch as a whole.</summary>
    /// <exception cref="SqsErrorException">The batch is refused, with its valid entries.</exception>
    public static void CheckBatch(List<SendFields> entries)
    {
        BatchRules.Check(entries, entry => entry.Id);
        if (entries.Sum(entry => entry.Length) is var length and > SqsLimit.MessageBytes)
        {
            throw new SqsErrorException(
                SqsError.BatchRequestTooLong,
                $"Batch requests cannot be longer than {SqsLimit.MessageBytes} bytes. You have sent {length} bytes.");
        }
    }

    /// <summary>1 to 128 letters, digits and punctuation characters of ASCII.</summary>
    private static bool IsId(string text) => text.Length is >= 1 and <= LongestId && !text.AsSpan().ContainsAnyExceptInRange('!', '~');

    private static SqsErrorException Invalid(string message) => new(SqsError.InvalidParameterValue, message);
}
