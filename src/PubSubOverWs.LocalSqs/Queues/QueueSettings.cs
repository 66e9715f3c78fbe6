using System.Buffers;
using System.Globalization;
using System.Text.Json;

namespace PubSubOverWs.LocalSqs;

/// <summary>The settings of a queue, with the defaults and ranges of SQS (<see cref="With"/>).</summary>
public sealed record QueueSettings
{
    public static readonly QueueSettings Default = new();

    public TimeSpan VisibilityTimeout { get; private init; } = TimeSpan.FromSeconds(30);

    public TimeSpan MessageRetention { get; private init; } = TimeSpan.FromDays(4);

    public TimeSpan Delay { get; private init; }

    public TimeSpan ReceiveWaitTime { get; private init; }

    /// <summary>Bytes of the largest message.</summary>
    public int MaximumMessageSize { get; private init; } = SqsLimit.MessageBytes;

    /// <summary>Null: messages may be received any number of times.</summary>
    public Redrive? Redrive { get; private init; }

    /// <summary>Null: no topic may send to it.</summary>
    public QueuePolicy? Policy { get; private init; }

    /// <summary>These settings with one attribute changed.</summary>
    /// <exception cref="SqsErrorException">There is no such attribute, or its value is out of range.</exception>
    public QueueSettings With(string attribute, string value) => attribute switch
    {
        "VisibilityTimeout" => this with { VisibilityTimeout = Seconds(attribute, value, 0, 43_200) },
        "MessageRetentionPeriod" => this with { MessageRetention = Seconds(attribute, value, 60, 1_209_600) },
        "DelaySeconds" => this with { Delay = Seconds(attribute, value, 0, 900) },
        "ReceiveMessageWaitTimeSeconds" => this with { ReceiveWaitTime = Seconds(attribute, value, 0, 20) },
        "MaximumMessageSize" => this with { MaximumMessageSize = Number(attribute, value, 1024, SqsLimit.MessageBytes) },
        "RedrivePolicy" => this with { Redrive = value.Length == 0 ? null : Redrive.Parse(value) },
        "Policy" => this with { Policy = value.Length == 0 ? null : QueuePolicy.Parse(value) },
        _ => throw new SqsErrorException(SqsError.InvalidAttributeName, $"Unknown attribute {attribute}: LocalSqs does not have it."),
    };

    private static TimeSpan Seconds(string attribute, string value, int min, int max) =>
        TimeSpan.FromSeconds(Number(attribute, value, min, max));

    private static int Number(string attribute, string value, int min, int max) =>
        int.TryParse(value, NumberStyles.AllowLeadingSign, null, out var number) && number >= min && number <= max
            ? number
            : throw new SqsErrorException(
                SqsError.InvalidAttributeValue, $"Invalid value '{value}' for the parameter {attribute}: it must be {min} to {max}.");
}

/// <summary>The rules of SQS for a queue's name.</summary>
internal static class QueueName
{
    private const int MaxLength = 80;

    /// <summary>Of the name of a queue, of that of a topic, and of the id of an entry.</summary>
    public static readonly SearchValues<char> Characters =
        SearchValues.Create("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_");

    /// <exception cref="SqsErrorException">SQS does not accept the name; or it, or an attribute, asks for a FIFO queue.</exception>
    public static void Check(string name, IEnumerable<string> attributes)
    {
        if (name.EndsWith(".fifo", StringComparison.Ordinal) || attributes.Contains("FifoQueue"))
            throw new SqsErrorException(
                SqsError.UnsupportedOperation,
                $"LocalSqs has no FIFO queues: use fauxqs or LocalStack for {name}, or a standard queue, without .fifo and FifoQueue.");
        if (name.Length is 0 or > MaxLength || name.AsSpan().ContainsAnyExcept(Characters))
            throw new SqsErrorException(
                SqsError.InvalidParameterValue,
                "Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length.");
    }
}

/// <summary>
/// The dead-letter queue of messages that were received <paramref name="MaxReceiveCount"/> times and become visible again.
/// </summary>
/// <param name="TargetArn">The dead-letter queue.</param>
/// <param name="MaxReceiveCount">1 to 1,000.</param>
public sealed record Redrive(string TargetArn, int MaxReceiveCount)
{
    /// <summary><c>{"deadLetterTargetArn":"...","maxReceiveCount":5}</c>; the count may be a string too.</summary>
    /// <exception cref="SqsErrorException">It is something else.</exception>
    public static Redrive Parse(string policy)
    {
        try
        {
            using var json = JsonDocument.Parse(policy);
            var arn = json.RootElement.GetProperty("deadLetterTargetArn").GetString();
            var count = json.RootElement.GetProperty("maxReceiveCount").ToString();
            if (arn is not null && int.TryParse(count, NumberStyles.None, CultureInfo.InvariantCulture, out var max)
                && max is >= 1 and <= 1000)
                return new Redrive(arn, max);
        }
        catch (Exception fault) when (fault is JsonException or KeyNotFoundException or InvalidOperationException)
        {
        }
        throw new SqsErrorException(
            SqsError.InvalidAttributeValue,
            $"Invalid value '{policy}' for the parameter RedrivePolicy: it must have a deadLetterTargetArn, and a maxReceiveCount of 1 "
                + "to 1000.");
    }

    public override string ToString() => $$"""{"deadLetterTargetArn":"{{TargetArn}}","maxReceiveCount":{{MaxReceiveCount}}}""";
}

/// <summary>
/// The one kind of access policy that LocalSqs supports: one topic may send to the queue. Others are refused, not partly carried out.
/// </summary>
/// <param name="Text">As it was set.</param>
/// <param name="QueueArn">The queue's own.</param>
/// <param name="TopicArn">The topic that may send to it.</param>
public sealed record QueuePolicy(string Text, string QueueArn, string TopicArn)
{
    /// <exception cref="SqsErrorException">It is not JSON, or another kind of policy.</exception>
    public static QueuePolicy Parse(string text)
    {
        try
        {
            using var json = JsonDocument.Parse(text);
            var statement = json.RootElement.GetProperty("Statement")[0];
            var policy = new QueuePolicy(
                text,
                statement.GetProperty("Resource").GetString() ?? "",
                statement.GetProperty("Condition").GetProperty("ArnEquals").GetProperty("aws:SourceArn").GetString() ?? "");
            using var known = JsonDocument.Parse(Known(policy.QueueArn, policy.TopicArn));
            if (JsonElement.DeepEquals(json.RootElement, known.RootElement))
                return policy;
        }
        catch (Exception fault)
            when (fault is JsonException or KeyNotFoundException or InvalidOperationException or IndexOutOfRangeException)
        {
        }
        throw Unknown($"it must be {Known("QUEUE-ARN", "TOPIC-ARN")}");
    }

    public static SqsErrorException Unknown(string rule) => new(
        SqsError.InvalidAttributeValue,
        $"Invalid value for the parameter Policy. LocalSqs takes one that lets one topic send to the queue: {rule}.");

    private static string Known(string queueArn, string topicArn) => $$$$"""
        {"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Service":"sns.amazonaws.com"},"Action":"sqs:SendMessage",
        "Resource":"{{{{JsonEncodedText.Encode(queueArn)}}}}",
        "Condition":{"ArnEquals":{"aws:SourceArn":"{{{{JsonEncodedText.Encode(topicArn)}}}}"}}}]}
        """;
}

/// <summary>The limits that SQS documents and this server keeps (quotas of August 2025).</summary>
public static class SqsLimit
{
    public const int BatchEntries = 10;

    /// <summary>Bytes of one message, body and attributes, and of all messages of a batch together.</summary>
    public const int MessageBytes = 1_048_576;

    /// <summary>Messages of one queue that may be in flight at once.</summary>
    public const int InFlight = 120_000;

    /// <summary>Attributes of one message.</summary>
    public const int MessageAttributes = 10;

    /// <summary>How long a message may be hidden, counted from its receive, whatever changes that meanwhile.</summary>
    public static readonly TimeSpan Visibility = TimeSpan.FromHours(12);

    /// <summary>How long after a purge the next one is refused, and after a delete the same name.</summary>
    public static readonly TimeSpan Pause = TimeSpan.FromSeconds(60);
}
