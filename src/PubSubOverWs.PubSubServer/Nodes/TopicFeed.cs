using PubSubOverWs.Queues;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// Makes sure that the subscribers here get every message of their topics, or are told that they may have missed some. Other nodes
/// unsubscribe this node's queue from the topic when they have not heard it for <see cref="NodeOptions.DeleteAfter"/>. So before that
/// happens, a node that may not have been heard for nearly that long ends the connections of its topic subscribers. A node that could not,
/// because it was suspended, does so as soon as it runs, and so does one that finds its subscription gone or replaced, for whatever reason
/// (docs/decisions/0033).
/// </summary>
/// <param name="silentFor">For how long the others may not have heard this node.</param>
/// <param name="endSubscribers">Tells topic subscribers and raw clients why, and ends their connections.</param>
internal sealed class TopicFeed(NodeContext node, Func<TimeSpan> silentFor, Action<string> endSubscribers)
{
    private const string Why = "This server may have missed messages to topics: connect again, to any server, and go on from there.";

    private string _subscriptionArn = node.Queues.Own.SubscriptionArn;
    private long? _seenAt;
    private volatile bool _isBroken;
    private volatile bool _isUnanswered;

    /// <summary>Why this server is not ready; null: its queue gets every message of the topic, and SNS can be reached.</summary>
    public string? Trouble => _isBroken
        ? $"The queue {node.Queues.Own.Name} of this server was, or may have been, taken from the topic {node.Queues.TopicArn} because the "
            + "other servers did not hear from this one. It subscribes again by itself when they do and SNS answers."
        : _isUnanswered ? $"SNS does not answer for the topic {node.Queues.TopicArn}: what is published to topics here is not taken. "
            + "Subscribers get what others publish."
        : null;

    /// <summary>Runs until <paramref name="stopping"/> fires.</summary>
    public Task RunAsync(CancellationToken stopping) => Task.WhenAll(WatchAsync(stopping), LookAgainAsync(stopping));

    /// <summary>
    /// Never waits for SNS: whether the others may consider this node dead is known without it. While the feed is broken, new subscribers
    /// are disconnected too.
    /// </summary>
    public void Watch()
    {
        if (!_isBroken && silentFor() >= node.Options.DeleteAfter - (2 * node.Options.AnnounceEvery))
            Break();
        else if (_isBroken)
            endSubscribers(Why);
    }

    /// <summary>
    /// Checks from time to time whether the queue is still subscribed; if not, subscribes it again once the others hear this node.
    /// </summary>
    public async Task LookAsync()
    {
        using var patience = new CancellationTokenSource(node.Options.DeadAfter, node.Time);
        try
        {
            if (!_isBroken && (_seenAt is not { } seenAt || node.Time.GetElapsedTime(seenAt) >= node.Options.DeadAfter))
                await CheckAsync(patience.Token);
            if (_isBroken && silentFor() < node.Options.DeadAfter)
                await ResubscribeAsync(patience.Token);
            _isUnanswered = false;
        }
        catch (Exception failure)
            when (failure is QueueException || (failure is OperationCanceledException && patience.IsCancellationRequested))
        {
            // It is tried again at once.
            _isUnanswered = true;
        }
    }

    private async Task WatchAsync(CancellationToken stopping)
    {
        using var timer = new PeriodicTimer(node.Options.AnnounceEvery, node.Time);
        while (await TickAsync(timer, stopping))
            Watch();
    }

    private async Task LookAgainAsync(CancellationToken stopping)
    {
        using var timer = new PeriodicTimer(node.Options.AnnounceEvery, node.Time);
        while (await TickAsync(timer, stopping))
            await LookAsync();
    }

    private static async Task<bool> TickAsync(PeriodicTimer timer, CancellationToken stopping)
    {
        try
        {
            return await timer.WaitForNextTickAsync(stopping);
        }
        catch (OperationCanceledException) when (stopping.IsCancellationRequested)
        {
            return false;
        }
    }

    private async Task CheckAsync(CancellationToken patience)
    {
        var subscriptions = await node.Sns.ListSubscriptionsAsync(node.Queues.TopicArn, patience);
        _seenAt = node.Time.GetTimestamp();
        if (!subscriptions.Any(subscription => subscription.SubscriptionArn == _subscriptionArn))
            Break();
    }

    private async Task ResubscribeAsync(CancellationToken patience)
    {
        var subscriptionArn = await node.Sns.SubscribeQueueAsync(node.Queues.TopicArn, node.Queues.Own.Arn, patience);
        // It may have taken so long that the new subscription is gone, too.
        if (silentFor() >= node.Options.DeadAfter)
            return;
        _subscriptionArn = subscriptionArn;
        _seenAt = null;
        // Subscribers that came meanwhile missed messages, too.
        endSubscribers(Why);
        _isBroken = false;
        node.Log.FeedIsWhole(node.Queues.Own.Name, node.Queues.TopicArn);
    }

    private void Break()
    {
        _isBroken = true;
        node.Log.FeedBroke(node.Queues.Own.Name, node.Queues.TopicArn);
        endSubscribers(Why);
    }
}
