using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// Sees to it that the subscribers here have every message of their topics, or are told that they may have missed some. Others take this
/// node's queue from the topic when they have not heard it for <see cref="NodeOptions.DeleteAfter"/>. So a node that may not have been
/// heard for nearly that long ends the connections of its topic subscribers, before that happens; one that could not, because it was
/// suspended, does so as soon as it runs; and one that finds its subscription gone or replaced does so too, whatever the reason
/// (docs/decisions/0033).
/// </summary>
/// <param name="queues">Those of this node.</param>
/// <param name="sns">The client of the topic.</param>
/// <param name="silentFor">For how long the others may not have heard this node.</param>
/// <param name="endSubscribers">Tells all who subscribe to topics here, or are raw connections, why, and ends their connections.</param>
/// <param name="options">The times after which others act.</param>
/// <param name="time">Measures.</param>
/// <param name="log">Says when the feed broke, and when it is whole again.</param>
internal sealed class TopicFeed(
    NodeQueues queues, ISns sns, Func<TimeSpan> silentFor, Action<string> endSubscribers, NodeOptions options, TimeProvider time,
    ILogger log)
{
    private const string Why = "This server may have missed messages to topics: connect again, to any server, and go on from there.";

    private string _subscriptionArn = queues.Own.SubscriptionArn;
    private long? _seenAt;
    private volatile bool _isBroken;
    private volatile bool _isUnanswered;

    /// <summary>Why this server is not ready; null: its queue gets every message of the topic, and SNS can be reached.</summary>
    public string? Trouble => _isBroken
        ? $"The queue {queues.Own.Name} of this server was, or may have been, taken from the topic {queues.TopicArn}, for the other "
            + "servers did not hear this one. It subscribes again by itself when they do and SNS answers."
        : _isUnanswered ? $"SNS does not answer for the topic {queues.TopicArn}: what is published to topics here is not taken. "
            + "Subscribers get what others publish."
        : null;

    /// <summary>Runs until <paramref name="stopping"/> fires.</summary>
    public Task RunAsync(CancellationToken stopping) => Task.WhenAll(WatchAsync(stopping), LookAgainAsync(stopping));

    /// <summary>
    /// Never waits for SNS: whether the others may have taken this node for dead is known without it. While the feed is broken nobody new
    /// stays either.
    /// </summary>
    public void Watch()
    {
        if (!_isBroken && silentFor() >= options.DeleteAfter - (2 * options.AnnounceEvery))
            Break();
        else if (_isBroken)
            endSubscribers(Why);
    }

    /// <summary>
    /// Asks whether the queue is still subscribed, now and then; and subscribes it again, once it was not and the others hear this node.
    /// </summary>
    public async Task LookAsync()
    {
        using var patience = new CancellationTokenSource(options.DeadAfter, time);
        try
        {
            if (!_isBroken && (_seenAt is not { } seenAt || time.GetElapsedTime(seenAt) >= options.DeadAfter))
                await SeeAsync(patience.Token);
            if (_isBroken && silentFor() < options.DeadAfter)
                await MendAsync(patience.Token);
            _isUnanswered = false;
        }
        catch (Exception failure)
            when (failure is SqsException || (failure is OperationCanceledException && patience.IsCancellationRequested))
        {
            // It is tried again at once.
            _isUnanswered = true;
        }
    }

    private async Task WatchAsync(CancellationToken stopping)
    {
        using var timer = new PeriodicTimer(options.AnnounceEvery, time);
        while (await TickAsync(timer, stopping))
            Watch();
    }

    private async Task LookAgainAsync(CancellationToken stopping)
    {
        using var timer = new PeriodicTimer(options.AnnounceEvery, time);
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

    private async Task SeeAsync(CancellationToken patience)
    {
        var subscriptions = await sns.ListSubscriptionsAsync(queues.TopicArn, patience);
        _seenAt = time.GetTimestamp();
        if (!subscriptions.Any(subscription => subscription.SubscriptionArn == _subscriptionArn))
            Break();
    }

    private async Task MendAsync(CancellationToken patience)
    {
        var subscriptionArn = await sns.SubscribeQueueAsync(queues.TopicArn, queues.Own.Arn, patience);
        // It may have taken so long that this one is gone as well.
        if (silentFor() >= options.DeadAfter)
            return;
        _subscriptionArn = subscriptionArn;
        _seenAt = null;
        // Those who came meanwhile were not fed either.
        endSubscribers(Why);
        _isBroken = false;
        log.FeedIsWhole(queues.Own.Name, queues.TopicArn);
    }

    private void Break()
    {
        _isBroken = true;
        log.FeedBroke(queues.Own.Name, queues.TopicArn);
        endSubscribers(Why);
    }
}
