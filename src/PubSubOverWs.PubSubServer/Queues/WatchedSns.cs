using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// Passes every call on to SNS, and tells <see cref="QueueHealth"/> how those went that readiness depends on. Results and exceptions are
/// unchanged.
/// </summary>
internal sealed class WatchedSns(ISns sns, QueueHealth health) : ISns
{
    public SqsTraffic Traffic => sns.Traffic;

    public ValueTask<string> CreateTopicAsync(string name, CancellationToken cancellationToken) =>
        sns.CreateTopicAsync(name, cancellationToken);

    public ValueTask<string> SubscribeQueueAsync(string topicArn, string queueArn, CancellationToken cancellationToken) =>
        health.WatchAsync(topicArn, SqsCall.Other, sns.SubscribeQueueAsync(topicArn, queueArn, cancellationToken));

    public ValueTask UnsubscribeAsync(string subscriptionArn, CancellationToken cancellationToken) =>
        sns.UnsubscribeAsync(subscriptionArn, cancellationToken);

    public ValueTask<IReadOnlyList<TopicSubscription>> ListSubscriptionsAsync(string topicArn, CancellationToken cancellationToken) =>
        health.WatchAsync(topicArn, SqsCall.Other, sns.ListSubscriptionsAsync(topicArn, cancellationToken));

    public ValueTask<IReadOnlyList<EntryResult>> PublishBatchAsync(
        string topicArn, IReadOnlyList<ReadOnlyMemory<byte>> messages, CancellationToken cancellationToken) =>
        health.WatchBatchAsync(topicArn, SqsCall.Send, sns.PublishBatchAsync(topicArn, messages, cancellationToken));

    public ValueTask DeleteTopicAsync(string topicArn, CancellationToken cancellationToken) =>
        sns.DeleteTopicAsync(topicArn, cancellationToken);

    public ValueTask<IReadOnlyList<string>> ListTopicsAsync(string prefix, CancellationToken cancellationToken) =>
        sns.ListTopicsAsync(prefix, cancellationToken);
}
