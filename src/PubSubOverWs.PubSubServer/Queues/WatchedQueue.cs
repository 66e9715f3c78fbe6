using PubSubOverWs.Queues;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// Passes every call on to the queue, and tells <see cref="QueueHealth"/> how those went that readiness depends on. Results and exceptions
/// are unchanged.
/// </summary>
internal sealed class WatchedQueue(IQueue queue, QueueHealth health) : IQueue
{
    public QueueTraffic Traffic => queue.Traffic;

    public ValueTask<QueueUrls> OpenAsync(string name, CancellationToken cancellationToken) => queue.OpenAsync(name, cancellationToken);

    public ValueTask DeleteAsync(QueueUrls urls, CancellationToken cancellationToken) => queue.DeleteAsync(urls, cancellationToken);

    public ValueTask<long> CountAsync(string queueUrl, CancellationToken cancellationToken) =>
        health.WatchAsync(queueUrl, QueueCall.Other, queue.CountAsync(queueUrl, cancellationToken));

    public ValueTask<IReadOnlyList<EntryResult>> SendAsync(
        string queueUrl, IReadOnlyList<SendEntry> entries, CancellationToken cancellationToken) =>
        health.WatchBatchAsync(queueUrl, QueueCall.Send, queue.SendAsync(queueUrl, entries, cancellationToken));

    public ValueTask<IReadOnlyList<ReceivedMessage>> ReceiveAsync(string queueUrl, ReceiveRequest request, CancellationToken stopping) =>
        health.WatchAsync(queueUrl, QueueCall.Receive, queue.ReceiveAsync(queueUrl, request, stopping));

    public ValueTask<IReadOnlyList<EntryResult>> SettleAsync(
        string queueUrl, IReadOnlyList<string> receiptHandles, CancellationToken cancellationToken) =>
        health.WatchBatchAsync(queueUrl, QueueCall.Settle, queue.SettleAsync(queueUrl, receiptHandles, cancellationToken));

    public ValueTask<IReadOnlyList<EntryResult>> HoldAsync(
        string queueUrl, IReadOnlyList<HoldEntry> entries, CancellationToken cancellationToken) =>
        health.WatchBatchAsync(queueUrl, QueueCall.Hold, queue.HoldAsync(queueUrl, entries, cancellationToken));
}

/// <summary>
/// Passes every call on to SNS, and tells <see cref="QueueHealth"/> how those went that readiness depends on. Results and exceptions are
/// unchanged.
/// </summary>
internal sealed class WatchedSns(ISns sns, QueueHealth health) : ISns
{
    public QueueTraffic Traffic => sns.Traffic;

    public ValueTask<string> CreateTopicAsync(string name, CancellationToken cancellationToken) =>
        sns.CreateTopicAsync(name, cancellationToken);

    public ValueTask<string> SubscribeQueueAsync(string topicArn, string queueArn, CancellationToken cancellationToken) =>
        health.WatchAsync(topicArn, QueueCall.Other, sns.SubscribeQueueAsync(topicArn, queueArn, cancellationToken));

    public ValueTask UnsubscribeAsync(string subscriptionArn, CancellationToken cancellationToken) =>
        sns.UnsubscribeAsync(subscriptionArn, cancellationToken);

    public ValueTask<IReadOnlyList<TopicSubscription>> ListSubscriptionsAsync(string topicArn, CancellationToken cancellationToken) =>
        health.WatchAsync(topicArn, QueueCall.Other, sns.ListSubscriptionsAsync(topicArn, cancellationToken));

    public ValueTask<IReadOnlyList<EntryResult>> PublishBatchAsync(
        string topicArn, IReadOnlyList<ReadOnlyMemory<byte>> messages, CancellationToken cancellationToken) =>
        health.WatchBatchAsync(topicArn, QueueCall.Send, sns.PublishBatchAsync(topicArn, messages, cancellationToken));

    public ValueTask DeleteTopicAsync(string topicArn, CancellationToken cancellationToken) =>
        sns.DeleteTopicAsync(topicArn, cancellationToken);

    public ValueTask<IReadOnlyList<string>> ListTopicsAsync(string prefix, CancellationToken cancellationToken) =>
        sns.ListTopicsAsync(prefix, cancellationToken);
}
