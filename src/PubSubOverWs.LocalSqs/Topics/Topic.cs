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
