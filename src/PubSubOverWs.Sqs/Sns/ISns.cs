using PubSubOverWs.Queues;

namespace PubSubOverWs.Sqs;

/// <summary>
/// The part of Amazon SNS that this project uses: one topic that copies each message into several queues, raw. Every call is safe from any
/// thread. A call that SNS did not answer, or answered with an error, throws <see cref="QueueException"/> after its retries; results of
/// single messages of a batch are returned, never thrown. A topic delivers at least once and in best-effort order, and a retried publish
/// may create a duplicate.
/// </summary>
public interface ISns
{
    /// <summary>
    /// Calls and bytes so far: a publish counts as <see cref="QueueCall.Send"/>, all else as <see cref="QueueCall.Other"/>.
    /// </summary>
    QueueTraffic Traffic { get; }

    /// <summary>Creates the topic, or finds it when it exists. Returns its ARN.</summary>
    /// <param name="name">1 to 256 characters of <c>[A-Za-z0-9_-]</c>.</param>
    /// <param name="cancellationToken">Ends the call; the topic may exist nevertheless.</param>
    /// <exception cref="QueueException"><see cref="SnsErrorCode.InvalidParameter"/>: SNS does not accept the name.</exception>
    ValueTask<string> CreateTopicAsync(string name, CancellationToken cancellationToken);

    /// <summary>
    /// Has the topic copy its messages into the queue from now on, each as it was published (raw delivery). Returns the ARN of the
    /// subscription: the same one when the queue was subscribed already. Nothing arrives until the queue's policy lets the topic send to
    /// it (<see cref="QueueSettings.Policy"/>), and no error says so.
    /// </summary>
    /// <param name="topicArn">As <see cref="CreateTopicAsync"/> returned it.</param>
    /// <param name="queueArn">Of a standard queue (<see cref="QueueAttributes.Arn"/>).</param>
    /// <param name="cancellationToken">Ends the call; the queue may be subscribed nevertheless.</param>
    /// <exception cref="QueueException"><see cref="SnsErrorCode.NotFound"/>: there is no such topic.</exception>
    ValueTask<string> SubscribeQueueAsync(string topicArn, string queueArn, CancellationToken cancellationToken);

    /// <summary>Ends a subscription. A subscription that is already gone is no error.</summary>
    /// <exception cref="QueueException"><see cref="SnsErrorCode.InvalidParameter"/>: it is not the ARN of a subscription.</exception>
    ValueTask UnsubscribeAsync(string subscriptionArn, CancellationToken cancellationToken);

    /// <summary>The queues that the topic copies to, across pages. On AWS it may be minutes late.</summary>
    /// <exception cref="QueueException"><see cref="SnsErrorCode.NotFound"/>: there is no such topic.</exception>
    ValueTask<IReadOnlyList<TopicSubscription>> ListSubscriptionsAsync(string topicArn, CancellationToken cancellationToken);

    /// <summary>
    /// Publishes 1 to 10 messages. Those that failed on the topic's side are sent again, within the bound of retries. Returns one result
    /// per message, in the order given.
    /// </summary>
    /// <param name="topicArn">As <see cref="CreateTopicAsync"/> returned it.</param>
    /// <param name="messages">
    /// UTF-8 of the characters that SQS accepts, 1 byte to 256 KiB each and no more than 256 KiB together (<see cref="SnsLimits"/>). Must
    /// not change until the call has ended.
    /// </param>
    /// <param name="cancellationToken">Ends the call; the topic may have the messages nevertheless.</param>
    /// <exception cref="QueueException">
    /// None of the messages is known to be taken; when it is retryable, some may be. <see cref="SnsErrorCode.NotFound"/>: there is no such
    /// topic.
    /// </exception>
    ValueTask<IReadOnlyList<EntryResult>> PublishBatchAsync(
        string topicArn, IReadOnlyList<ReadOnlyMemory<byte>> messages, CancellationToken cancellationToken);

    /// <summary>Deletes the topic and its subscriptions; the queues stay. A topic that is already gone is no error.</summary>
    /// <exception cref="QueueException"><see cref="SnsErrorCode.InvalidParameter"/>: it is not the ARN of a topic.</exception>
    ValueTask DeleteTopicAsync(string topicArn, CancellationToken cancellationToken);

    /// <summary>
    /// The ARNs of all topics whose name starts with <paramref name="prefix"/> (empty: of all topics), across pages. SNS knows no prefixes:
    /// all topics of the account are read.
    /// </summary>
    ValueTask<IReadOnlyList<string>> ListTopicsAsync(string prefix, CancellationToken cancellationToken);
}

/// <summary>A queue that a topic copies its messages to.</summary>
/// <param name="SubscriptionArn">For <see cref="ISns.UnsubscribeAsync"/>.</param>
/// <param name="QueueArn">As <see cref="QueueAttributes.Arn"/> names it.</param>
public sealed record TopicSubscription(string SubscriptionArn, string QueueArn);

/// <summary>The access policy of a queue that a topic copies its messages to.</summary>
public static class TopicPolicy
{
    /// <summary>
    /// Lets that topic send to that queue, and no other
    /// (https://docs.aws.amazon.com/sns/latest/dg/subscribe-sqs-queue-to-sns-topic.html). For <see cref="QueueSettings.Policy"/>.
    /// </summary>
    public static string Allow(string queueArn, string topicArn) => $$$$"""
        {"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Service":"sns.amazonaws.com"},"Action":"sqs:SendMessage",
        "Resource":"{{{{queueArn}}}}","Condition":{"ArnEquals":{"aws:SourceArn":"{{{{topicArn}}}}"}}}]}
        """;
}
