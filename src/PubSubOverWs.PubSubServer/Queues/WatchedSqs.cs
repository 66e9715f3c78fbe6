using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// Passes every call on to the queue, and tells <see cref="QueueHealth"/> how those went that readiness depends on. Results and exceptions
/// are unchanged.
/// </summary>
internal sealed class WatchedSqs(ISqs sqs, QueueHealth health) : ISqs
{
    public SqsTraffic Traffic => sqs.Traffic;

    public ValueTask<string> CreateQueueAsync(string name, QueueSettings settings, CancellationToken cancellationToken) =>
        sqs.CreateQueueAsync(name, settings, cancellationToken);

    public ValueTask<string> GetQueueUrlAsync(string name, CancellationToken cancellationToken) =>
        sqs.GetQueueUrlAsync(name, cancellationToken);

    public ValueTask<QueueAttributes> GetQueueAttributesAsync(string queueUrl, CancellationToken cancellationToken) =>
        health.WatchAsync(queueUrl, SqsCall.Other, sqs.GetQueueAttributesAsync(queueUrl, cancellationToken));

    public ValueTask DeleteQueueAsync(string queueUrl, CancellationToken cancellationToken) =>
        sqs.DeleteQueueAsync(queueUrl, cancellationToken);

    public ValueTask<IReadOnlyList<string>> ListQueuesAsync(string prefix, CancellationToken cancellationToken) =>
        sqs.ListQueuesAsync(prefix, cancellationToken);

    public ValueTask<IReadOnlyList<EntryResult>> SendMessageBatchAsync(
        string queueUrl, IReadOnlyList<SendEntry> entries, CancellationToken cancellationToken) =>
        health.WatchBatchAsync(queueUrl, SqsCall.Send, sqs.SendMessageBatchAsync(queueUrl, entries, cancellationToken));

    public ValueTask<IReadOnlyList<ReceivedMessage>> ReceiveMessagesAsync(
        string queueUrl, ReceiveRequest request, CancellationToken stopping) =>
        health.WatchAsync(queueUrl, SqsCall.Receive, sqs.ReceiveMessagesAsync(queueUrl, request, stopping));

    public ValueTask<IReadOnlyList<EntryResult>> DeleteMessageBatchAsync(
        string queueUrl, IReadOnlyList<string> receiptHandles, CancellationToken cancellationToken) =>
        health.WatchBatchAsync(queueUrl, SqsCall.Delete, sqs.DeleteMessageBatchAsync(queueUrl, receiptHandles, cancellationToken));

    public ValueTask<IReadOnlyList<EntryResult>> ChangeMessageVisibilityBatchAsync(
        string queueUrl, IReadOnlyList<VisibilityEntry> entries, CancellationToken cancellationToken) =>
        health.WatchBatchAsync(
            queueUrl, SqsCall.ChangeVisibility, sqs.ChangeMessageVisibilityBatchAsync(queueUrl, entries, cancellationToken));
}

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
