namespace PubSubOverWs.LocalSqs;

/// <summary>Rules for groups and deduplication ids: FIFO queues require them, standard queues refuse some.</summary>
internal static class GroupRules
{
    private const int LongestId = 128;

    /// <summary>Why the queue refuses the message; null: it takes it.</summary>
    public static SqsErrorException? FaultIn(SendFields entry, QueueSettings settings)
    {
        if (entry.GroupId is { } group && !IsId(group))
            return InvalidId("MessageGroupId", group);
        if (entry.DeduplicationId is { } id && !IsId(id))
            return InvalidId("MessageDeduplicationId", id);
        if (settings.Fifo is { } fifo)
            return entry.DelaySeconds > 0 ? NotOfThisType("DelaySeconds", $"{entry.DelaySeconds}") : MissingIn(entry, fifo);
        return entry.DeduplicationId is { } standard ? NotOfThisType("MessageDeduplicationId", standard) : null;
    }

    /// <summary>The required parameter that is missing for a FIFO queue; null: none is.</summary>
    public static SqsErrorException? MissingIn(SendFields entry, FifoSettings fifo) =>
        entry.GroupId is null
            ? new SqsErrorException(SqsError.MissingParameter, "The request must contain the parameter MessageGroupId.")
        : entry.DeduplicationId is null && !fifo.ContentBasedDeduplication
            ? new SqsErrorException(
                SqsError.InvalidParameterValue,
                "The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly")
        : null;

    /// <summary>1 to 128 letters, digits and punctuation characters of ASCII.</summary>
    private static bool IsId(string text) => text.Length is >= 1 and <= LongestId && !text.AsSpan().ContainsAnyExceptInRange('!', '~');

    private static SqsErrorException InvalidId(string parameter, string value) => new(
        SqsError.InvalidParameterValue,
        $"Value {value} for parameter {parameter} is invalid. Reason: {parameter} can only include alphanumeric and punctuation "
            + "characters. 1 to 128 in length.");

    private static SqsErrorException NotOfThisType(string parameter, string value) => new(
        SqsError.InvalidParameterValue,
        $"Value {value} for parameter {parameter} is invalid. Reason: "
            + "The request include parameter that is not valid for this queue type.");
}
