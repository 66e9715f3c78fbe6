namespace PubSubOverWs.LocalSqs;

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
