using System.Text;
using PubSubOverWs.PubSubServer;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.PubSubServer;

/// <summary>A topic in memory that copies what is published into the queues of a <see cref="FakeSqs"/>.</summary>
internal sealed class FakeSns(ISqs sqs) : ISns
{
    public const string TopicArn = "arn:aws:sns:us-east-1:1:q";

    public SqsTraffic Traffic { get; } = new();

    /// <summary>ARNs of queues.</summary>
    public HashSet<string> Subscribed { get; } = [];

    public List<string> Published { get; } = [];

    /// <summary>The queues of a node as they are called in these tests.</summary>
    public static NodeQueues Queues(string node)
    {
        FedQueue Fed(string name, string topicArn) => new(name, FakeSqs.UrlOf(name), $"arn:{name}", topicArn);
        return new NodeQueues(
            node, Fed($"q-node-{node}", TopicArn), new QueueUrls("q", FakeSqs.UrlOf("q"), FakeSqs.UrlOf("q-dead"), FakeSqs.UrlOf("q-parked")), TopicArn,
            Fed($"q-node-{node}-control", TopicArn + "-control"));
    }

    public ValueTask<string> CreateTopicAsync(string name, CancellationToken cancellationToken) => new(TopicArn);

    public ValueTask<string> SubscribeQueueAsync(string topicArn, string queueArn, CancellationToken cancellationToken)
    {
        Subscribed.Add(queueArn);
        return new($"subscription:{queueArn}");
    }

    public ValueTask UnsubscribeAsync(string subscriptionArn, CancellationToken cancellationToken)
    {
        Subscribed.Remove(subscriptionArn["subscription:".Length..]);
        return ValueTask.CompletedTask;
    }

    public ValueTask<IReadOnlyList<TopicSubscription>> ListSubscriptionsAsync(string topicArn, CancellationToken cancellationToken) =>
        new([.. Subscribed.Select(queueArn => new TopicSubscription($"subscription:{queueArn}", queueArn))]);

    public async ValueTask<IReadOnlyList<EntryResult>> PublishBatchAsync(
        string topicArn, IReadOnlyList<ReadOnlyMemory<byte>> messages, CancellationToken cancellationToken)
    {
        Published.AddRange(messages.Select(message => Encoding.UTF8.GetString(message.Span)));
        foreach (var queueArn in Subscribed)
            await sqs.SendMessageBatchAsync(FakeSqs.UrlOf(queueArn[(queueArn.LastIndexOf(':') + 1)..]), [.. messages.Select(message => new SendEntry(message))], cancellationToken);
        return [.. messages.Select(_ => new EntryResult(null, "id"))];
    }

    public ValueTask DeleteTopicAsync(string topicArn, CancellationToken cancellationToken) => throw new NotSupportedException();

    public ValueTask<IReadOnlyList<string>> ListTopicsAsync(string prefix, CancellationToken cancellationToken) => throw new NotSupportedException();
}
