using System.Buffers;

namespace PubSubOverWs.LocalSqs;

/// <summary>The rules of SQS for a queue's name.</summary>
internal static class QueueName
{
    private const int Longest = 80;
    private const string FifoSuffix = ".fifo";

    private static readonly SearchValues<char> Characters =
        SearchValues.Create("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_");

    /// <summary>
    /// Whether it is a FIFO queue: the name ends with <c>.fifo</c> exactly when the attribute FifoQueue is given, as true.
    /// </summary>
    /// <exception cref="SqsErrorException">SQS does not accept the name, or not with these attributes.</exception>
    public static bool IsFifo(string name, IEnumerable<KeyValuePair<string, string>> attributes)
    {
        var given = attributes.FirstOrDefault(attribute => attribute.Key == "FifoQueue").Value;
        if (given is not (null or "true"))
            throw new SqsErrorException(SqsError.InvalidAttributeName, "Unknown Attribute FifoQueue.");
        var isFifo = given is not null;
        if (isFifo == name.EndsWith(FifoSuffix, StringComparison.Ordinal) && IsAllowed(isFifo ? name[..^FifoSuffix.Length] : name)
            && name.Length <= Longest)
            return isFifo;
        throw new SqsErrorException(
            SqsError.InvalidParameterValue,
            isFifo
                ? "The name of a FIFO queue can only include alphanumeric characters, hyphens, or underscores, must end with .fifo "
                    + "suffix and be 1 to 80 in length."
                : "Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length.");
    }

    private static bool IsAllowed(string name) => name.Length > 0 && !name.AsSpan().ContainsAnyExcept(Characters);
}
