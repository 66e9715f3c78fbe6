namespace PubSubOverWs.LocalSqs;

/// <summary>
/// All topics of the process, in memory. They keep nothing: published messages go into the queues at once. Safe from any thread.
/// </summary>
public sealed class TopicStore(QueueStore queues, ILogger<TopicStore> logger)
{
    private readonly SortedDictionary<string, Topic> _topics = new(StringComparer.Ordinal);
    private readonly Dictionary<string, Subscription> _subscriptions = [];

    // The lock of the queues: a publish reaches all of them in one step.
    private readonly Lock _lock = queues.Lock;

    /// <summary>Creates the topic, or finds it.</summary>
    /// <exception cref="SqsErrorException">SNS does not accept the name.</exception>
    public Topic Create(string name)
    {
        var arn = TopicArn.Create(name);
        lock (_lock)
        {
            if (!_topics.TryGetValue(arn, out var topic))
                _topics.Add(arn, topic = new Topic(arn));
            return topic;
        }
    }

    /// <summary>Deletes the topic and its subscriptions; one that does not exist is no error.</summary>
    public void Delete(string arn)
    {
        lock (_lock)
        {
            if (!_topics.Remove(TopicArn.Check(arn, "TopicArn"), out var topic))
                return;
            foreach (var subscription in topic.Subscriptions)
                End(subscription);
        }
    }

    /// <summary>ARNs that follow <paramref name="after"/>, in ordinal order.</summary>
    public IReadOnlyList<string> List(string after, int max)
    {
        lock (_lock)
            return [.. _topics.Keys.Where(arn => string.CompareOrdinal(arn, after) > 0).Take(max)];
    }

    /// <summary>The subscriptions of the topic as they are now.</summary>
    /// <exception cref="SqsErrorException">There is no such topic.</exception>
    public IReadOnlyList<Subscription> SubscriptionsOf(string topicArn)
    {
        lock (_lock)
            return [.. Get(topicArn).Subscriptions];
    }

    /// <summary>Subscribes a queue, which need not exist yet, or finds its subscription.</summary>
    /// <exception cref="SqsErrorException">There is no such topic.</exception>
    public Subscription Subscribe(string topicArn, string queueArn)
    {
        lock (_lock)
        {
            var subscription = Get(topicArn).Subscribe(queueArn);
            _subscriptions[subscription.Arn] = subscription;
            return subscription;
        }
    }

    /// <exception cref="SqsErrorException">There is no such subscription.</exception>
    public Subscription FindSubscription(string arn)
    {
        lock (_lock)
        {
            return _subscriptions.TryGetValue(TopicArn.Check(arn, "SubscriptionArn"), out var subscription)
                ? subscription
                : throw new SqsErrorException(SnsError.NotFound, "Subscription does not exist");
        }
    }

    /// <summary>Ends the subscription; one that does not exist is no error.</summary>
    public void Unsubscribe(string arn)
    {
        lock (_lock)
        {
            if (!_subscriptions.TryGetValue(TopicArn.Check(arn, "SubscriptionArn"), out var subscription))
                return;
            subscription.Topic.Remove(subscription);
            End(subscription);
        }
    }

    /// <summary>
    /// Puts the messages into every subscribed queue that lets the topic send to it. Other queues cause no error: the log says so
    /// once.
    /// </summary>
    /// <exception cref="SqsErrorException">There is no such topic, or no room for all the copies: none is taken.</exception>
    public void Publish(string topicArn, IReadOnlyList<MessageBody> messages)
    {
        var copies = messages.Select(body => new NewMessage(body)).ToArray();
        lock (_lock)
        {
            var subscriptions = Get(topicArn).Subscriptions;
            // For all queues together: a publish without room in one queue goes to none.
            queues.Holdings.Check([.. subscriptions.SelectMany(subscription => Fitting(subscription, copies, out _))]);
            foreach (var subscription in subscriptions)
            {
                var fitting = Fitting(subscription, copies, out var reason);
                if (fitting.Length > 0)
                    queues.FindByArn(subscription.QueueArn)!.Send(fitting);
                if (reason is not null && subscription.Undelivered == 0)
                    Log.NotDelivered(logger, topicArn, subscription.QueueArn, reason);
                subscription.Undelivered += copies.Length - fitting.Length;
            }
        }
    }

    /// <summary>The messages that the queue takes, and why it does not take the others.</summary>
    private NewMessage[] Fitting(Subscription subscription, NewMessage[] copies, out string? reason)
    {
        var settings = queues.FindByArn(subscription.QueueArn)?.Settings;
        var isLetIn = settings?.Policy?.TopicArn == subscription.Topic.Arn;
        var fitting = isLetIn ? Array.FindAll(copies, copy => copy.Body.Length <= settings!.MaximumMessageSize) : [];
        reason = settings is null ? "there is no such queue"
            : !isLetIn ? "the queue's attribute Policy does not let the topic send to it"
            : fitting.Length < copies.Length ? "the message is longer than the queue's MaximumMessageSize"
            : null;
        return fitting;
    }

    private Topic Get(string arn) =>
        _topics.TryGetValue(TopicArn.Check(arn, "TopicArn"), out var topic)
            ? topic
            : throw new SqsErrorException(SnsError.NotFound, "Topic does not exist");

    private void End(Subscription subscription)
    {
        _subscriptions.Remove(subscription.Arn);
        if (subscription.Undelivered > 0)
            Log.EndsWithLosses(logger, subscription.QueueArn, subscription.Topic.Arn, subscription.Undelivered);
    }
}
