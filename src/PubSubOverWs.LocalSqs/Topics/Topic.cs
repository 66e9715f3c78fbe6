namespace PubSubOverWs.LocalSqs;

/// <summary>A topic and the queues that it copies its messages to.</summary>
public sealed class Topic(string arn)
{
    private readonly List<Subscription> _subscriptions = [];

    public string Arn { get; } = arn;

    /// <summary>In the order in which they were made.</summary>
    public IReadOnlyList<Subscription> Subscriptions => _subscriptions;

    /// <summary>Subscribes the queue, or finds its subscription.</summary>
    internal Subscription Subscribe(string queueArn)
    {
        if (_subscriptions.Find(subscription => subscription.QueueArn == queueArn) is { } existing)
            return existing;
        var added = new Subscription(this, queueArn);
        _subscriptions.Add(added);
        return added;
    }

    internal void Remove(Subscription subscription) => _subscriptions.Remove(subscription);
}

/// <summary>A queue that a topic copies its messages to.</summary>
/// <param name="topic">The topic.</param>
/// <param name="queueArn">The queue, which need not exist.</param>
public sealed class Subscription(Topic topic, string queueArn)
{
    public string Arn { get; } = $"{topic.Arn}:{Guid.NewGuid()}";

    public Topic Topic { get; } = topic;

    public string QueueArn { get; } = queueArn;

    /// <summary>Messages that the queue did not get: it does not exist, or its policy does not let the topic send to it.</summary>
    public long Undelivered { get; internal set; }
}

/// <summary>The names of topics and subscriptions.</summary>
internal static class TopicArn
{
    private const int MaxLength = 256;
    private const string Start = $"arn:aws:sns:us-east-1:{QueueStore.Account}:";

    /// <exception cref="SqsErrorException">SNS does not accept the name, or it is that of a FIFO topic.</exception>
    public static string Create(string name)
    {
        if (name.EndsWith(".fifo", StringComparison.Ordinal))
            throw SnsError.Missing("FIFO topics: use LocalStack for them");
        return name.Length is > 0 and <= MaxLength && !name.AsSpan().ContainsAnyExcept(QueueName.Characters)
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
