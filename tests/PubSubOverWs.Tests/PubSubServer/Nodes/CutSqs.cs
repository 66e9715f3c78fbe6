using PubSubOverWs.Queues;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.PubSubServer;

/// <summary>How one node is cut from a service.</summary>
internal enum Cut
{
    None,

    /// <summary>Its requests do not arrive.</summary>
    Requests,

    /// <summary>Its requests arrive and are carried out, and it gets no answer.</summary>
    Answers,
}

/// <summary>A service as one node reaches it, or not.</summary>
internal abstract class CutService
{
    public Cut Cut { get; set; }

    protected async ValueTask<T> AskAsync<T>(Func<ValueTask<T>> call)
    {
        if (Cut == Cut.Requests)
            throw FakeSqs.Away;
        var answer = await call();
        return Cut == Cut.None ? answer : throw FakeSqs.Away;
    }
}

/// <summary>The queue.</summary>
internal sealed class CutSqs(ISqs sqs) : CutService, ISqs
{
    public QueueTraffic Traffic => sqs.Traffic;

    public ValueTask<string> CreateQueueAsync(string name, QueueSettings settings, CancellationToken cancellationToken) =>
        AskAsync(() => sqs.CreateQueueAsync(name, settings, cancellationToken));

    public ValueTask<string> GetQueueUrlAsync(string name, CancellationToken cancellationToken) =>
        AskAsync(() => sqs.GetQueueUrlAsync(name, cancellationToken));

    public ValueTask<QueueAttributes> GetQueueAttributesAsync(string queueUrl, CancellationToken cancellationToken) =>
        AskAsync(() => sqs.GetQueueAttributesAsync(queueUrl, cancellationToken));

    public async ValueTask DeleteQueueAsync(string queueUrl, CancellationToken cancellationToken) => await AskAsync(async () =>
    {
        await sqs.DeleteQueueAsync(queueUrl, cancellationToken);
        return true;
    });

    public ValueTask<IReadOnlyList<string>> ListQueuesAsync(string prefix, CancellationToken cancellationToken) =>
        AskAsync(() => sqs.ListQueuesAsync(prefix, cancellationToken));

    public ValueTask<IReadOnlyList<EntryResult>> SendAsync(
        string queueUrl, IReadOnlyList<SendEntry> entries, CancellationToken cancellationToken) =>
        AskAsync(() => sqs.SendAsync(queueUrl, entries, cancellationToken));

    public ValueTask<IReadOnlyList<ReceivedMessage>> ReceiveAsync(
        string queueUrl, ReceiveRequest request, CancellationToken stopping) =>
        AskAsync(() => sqs.ReceiveAsync(queueUrl, request, stopping));

    public ValueTask<IReadOnlyList<EntryResult>> SettleAsync(
        string queueUrl, IReadOnlyList<string> receiptHandles, CancellationToken cancellationToken) =>
        AskAsync(() => sqs.SettleAsync(queueUrl, receiptHandles, cancellationToken));

    public ValueTask<IReadOnlyList<EntryResult>> HoldAsync(
        string queueUrl, IReadOnlyList<HoldEntry> entries, CancellationToken cancellationToken) =>
        AskAsync(() => sqs.HoldAsync(queueUrl, entries, cancellationToken));
}

/// <summary>The topics.</summary>
internal sealed class CutSns(ISns sns) : CutService, ISns
{
    /// <summary>ARNs of subscriptions that this node ended.</summary>
    public Action<string> Unsubscribed { get; set; } = _ => { };

    public QueueTraffic Traffic => sns.Traffic;

    public ValueTask<string> CreateTopicAsync(string name, CancellationToken cancellationToken) =>
        AskAsync(() => sns.CreateTopicAsync(name, cancellationToken));

    public ValueTask<string> SubscribeQueueAsync(string topicArn, string queueArn, CancellationToken cancellationToken) =>
        AskAsync(() => sns.SubscribeQueueAsync(topicArn, queueArn, cancellationToken));

    public async ValueTask UnsubscribeAsync(string subscriptionArn, CancellationToken cancellationToken) => await AskAsync(async () =>
    {
        await sns.UnsubscribeAsync(subscriptionArn, cancellationToken);
        Unsubscribed(subscriptionArn);
        return true;
    });

    public ValueTask<IReadOnlyList<TopicSubscription>> ListSubscriptionsAsync(string topicArn, CancellationToken cancellationToken) =>
        AskAsync(() => sns.ListSubscriptionsAsync(topicArn, cancellationToken));

    public ValueTask<IReadOnlyList<EntryResult>> PublishBatchAsync(
        string topicArn, IReadOnlyList<ReadOnlyMemory<byte>> messages, CancellationToken cancellationToken) =>
        AskAsync(() => sns.PublishBatchAsync(topicArn, messages, cancellationToken));

    public ValueTask DeleteTopicAsync(string topicArn, CancellationToken cancellationToken) => throw new NotSupportedException();

    public ValueTask<IReadOnlyList<string>> ListTopicsAsync(string prefix, CancellationToken cancellationToken) =>
        throw new NotSupportedException();
}
