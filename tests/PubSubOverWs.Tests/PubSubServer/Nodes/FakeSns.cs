using System.Text;
using PubSubOverWs.PubSubServer;
using PubSubOverWs.Queues;
using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.PubSubServer;

/// <summary>A topic in memory that copies what is published into the queues of a <see cref="FakeSqs"/>.</summary>
internal sealed class FakeSns(ISqs sqs) : ISns
{
    public const string TopicArn = "arn:aws:sns:us-east-1:1:q";

    public QueueTraffic Traffic { get; } = new();

    // By the ARN of the queue.
    private readonly Dictionary<string, string> _subscriptions = [];
    private int _made;
    private int _waits;

    /// <summary>ARNs of queues.</summary>
    public IReadOnlyCollection<string> Subscribed => _subscriptions.Keys;

    /// <summary>The failure of every call; null: none fails.</summary>
    public QueueException? Fault { get; set; }

    /// <summary>Listing subscriptions waits for this; null: it does not wait.</summary>
    public TaskCompletionSource? Gate { get; set; }

    /// <summary>How many asked so far, and had to wait.</summary>
    public int Waits => Volatile.Read(ref _waits);

    public List<string> Published { get; } = [];

    /// <summary>The queues of a node as they are called in these tests.</summary>
    public static NodeQueues Queues(string node)
    {
        var name = $"q-node-{node}";
        return new NodeQueues(
            node, new FedQueue(name, FakeSqs.UrlOf(name), $"arn:{name}", TopicArn, "subscription-1"),
            Sample.Urls, TopicArn,
            new ControlQueue($"{name}-control", FakeSqs.UrlOf($"{name}-control")));
    }

    /// <summary>The state that the parts of a node share.</summary>
    public static NodeContext Node(
        FakeTime time, NodeQueues queues, ISqs sqs, ISns? sns = null, NodeOptions? options = null, Subscriptions? subscriptions = null,
        ISqs? others = null)
    {
        var settings = new QueueBrokerOptions { WaitTime = TimeSpan.FromSeconds(20), Nodes = options ?? new NodeOptions() };
        return new NodeContext(
            Sample.Server(time, settings, sqs: sqs), others ?? sqs, sns ?? new FakeSns(sqs), queues,
            subscriptions ?? Sample.NoSubscribers(time));
    }

    public ValueTask<string> CreateTopicAsync(string name, CancellationToken cancellationToken) => new(TopicArn);

    public ValueTask<string> SubscribeQueueAsync(string topicArn, string queueArn, CancellationToken cancellationToken)
    {
        ThrowFault();
        if (!_subscriptions.TryGetValue(queueArn, out var subscription))
            _subscriptions[queueArn] = subscription = $"subscription-{++_made}";
        return new(subscription);
    }

    public ValueTask UnsubscribeAsync(string subscriptionArn, CancellationToken cancellationToken)
    {
        ThrowFault();
        _subscriptions.Remove(_subscriptions.First(subscription => subscription.Value == subscriptionArn).Key);
        return ValueTask.CompletedTask;
    }

    public async ValueTask<IReadOnlyList<TopicSubscription>> ListSubscriptionsAsync(string topicArn, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        ThrowFault();
        if (Gate is { } gate)
        {
            Interlocked.Increment(ref _waits);
            await gate.Task.WaitAsync(cancellationToken);
        }
        return [.. _subscriptions.Select(subscription => new TopicSubscription(subscription.Value, subscription.Key))];
    }

    public async ValueTask<IReadOnlyList<EntryResult>> PublishBatchAsync(
        string topicArn, IReadOnlyList<ReadOnlyMemory<byte>> messages, CancellationToken cancellationToken)
    {
        ThrowFault();
        Published.AddRange(messages.Select(message => Encoding.UTF8.GetString(message.Span)));
        foreach (var queueArn in Subscribed)
            await sqs.SendAsync(
                FakeSqs.UrlOf(queueArn[(queueArn.LastIndexOf(':') + 1)..]), [.. messages.Select(message => new SendEntry(message))],
                cancellationToken);
        return [.. messages.Select(_ => new EntryResult(null, "id"))];
    }

    private void ThrowFault()
    {
        if (Fault is { } fault)
            throw fault;
    }

    public ValueTask DeleteTopicAsync(string topicArn, CancellationToken cancellationToken) => throw new NotSupportedException();

    public ValueTask<IReadOnlyList<string>> ListTopicsAsync(string prefix, CancellationToken cancellationToken) =>
        throw new NotSupportedException();
}
