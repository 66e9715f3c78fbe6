using System.Buffers;

namespace PubSubOverWs.LocalSqs;

/// <summary>The rules of SQS for a queue's name.</summary>
internal static class QueueName
{
    private const int Longest = 80;

    private static readonly SearchValues<char> Characters =
        SearchValues.Create("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_");

    /// <exception cref="SqsErrorException">SQS does not accept the name; or it, or an attribute, asks for a FIFO queue.</exception>
    public static void Check(string name, IEnumerable<string> attributes)
    {
        if (name.EndsWith(".fifo", StringComparison.Ordinal) || attributes.Contains("FifoQueue"))
            throw new SqsErrorException(
                SqsError.UnsupportedOperation,
                $"LocalSqs has no FIFO queues: use fauxqs or LocalStack for {name}, or a standard queue, without .fifo and FifoQueue.");
        if (name.Length is 0 or > Longest || name.AsSpan().ContainsAnyExcept(Characters))
            throw new SqsErrorException(
                SqsError.InvalidParameterValue,
                "Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length.");
    }
}
