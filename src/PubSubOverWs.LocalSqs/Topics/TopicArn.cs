using System.Buffers;

namespace PubSubOverWs.LocalSqs;

/// <summary>The names of topics and subscriptions.</summary>
internal static class TopicArn
{
    private const int LongestName = 256;
    private const string Start = $"arn:aws:sns:us-east-1:{QueueStore.Account}:";

    private static readonly SearchValues<char> Characters =
        SearchValues.Create("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_");

    /// <exception cref="SqsErrorException">SNS does not accept the name, or it is that of a FIFO topic.</exception>
    public static string Of(string name)
    {
        if (name.EndsWith(".fifo", StringComparison.Ordinal))
            throw SnsError.Missing("FIFO topics: use LocalStack for them");
        return name.Length is > 0 and <= LongestName && !name.AsSpan().ContainsAnyExcept(Characters)
            ? Start + name
            : throw SnsError.Invalid("Topic Name");
    }

    /// <exception cref="SqsErrorException">It does not have the form of an ARN. Whether it exists is not checked.</exception>
    public static string Check(string arn, string parameter)
    {
        var elements = arn.Count(character => character == ':') + 1;
        return elements >= 6 && arn.StartsWith("arn:", StringComparison.Ordinal)
            ? arn
            : throw SnsError.Invalid($"{parameter} Reason: An ARN must have at least 6 elements, not {elements}");
    }
}
