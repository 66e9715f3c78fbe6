using PubSubOverWs.Sqs;

namespace PubSubOverWs.SqsContract;

/// <summary>Queues that are subscribed to a topic.</summary>
internal static class Subscriptions
{
    [Behaviour]
    public static async Task Subscribing_a_queue_again_finds_its_subscription(Trial trial)
    {
        var topic = await trial.CreateTopicAsync();
        var queue = await trial.SubscribeQueueAsync(topic);

        Assert.Equal(queue.SubscriptionArn, await trial.Topics.Sns.SubscribeQueueAsync(topic, queue.Arn, CancellationToken.None));
        Assert.Single(await trial.Topics.Sns.ListSubscriptionsAsync(topic, CancellationToken.None));
    }

    [Behaviour]
    public static async Task Subscriptions_are_listed_with_their_queues(Trial trial)
    {
        var topic = await trial.CreateTopicAsync();
        var first = await trial.SubscribeQueueAsync(topic);
        var second = await trial.SubscribeQueueAsync(topic);
        await trial.SubscribeQueueAsync(await trial.CreateTopicAsync());

        var listed = await trial.Topics.Sns.ListSubscriptionsAsync(topic, CancellationToken.None);

        Assert.Equivalent(
            new[] { new TopicSubscription(first.SubscriptionArn, first.Arn), new TopicSubscription(second.SubscriptionArn, second.Arn) },
            listed, strict: true);
    }

    [Behaviour]
    public static async Task A_message_published_after_the_end_of_a_subscription_does_not_come(Trial trial)
    {
        var topic = await trial.CreateTopicAsync();
        var ended = await trial.SubscribeQueueAsync(topic);
        var other = await trial.SubscribeQueueAsync(topic);

        await trial.Topics.Sns.UnsubscribeAsync(ended.SubscriptionArn, CancellationToken.None);
        await trial.Topics.PublishAsync(topic, "late");

        Assert.Equal("late", (await trial.Sqs.ReceiveOneAsync(other.Url)).Text());
        Assert.Empty(await trial.Sqs.PollAsync(ended.Url));
        Assert.Equal(
            other.SubscriptionArn,
            Assert.Single(await trial.Topics.Sns.ListSubscriptionsAsync(topic, CancellationToken.None)).SubscriptionArn);
    }

    [Behaviour]
    public static async Task Ending_a_subscription_again_is_not_an_error(Trial trial)
    {
        var queue = await trial.SubscribeQueueAsync(await trial.CreateTopicAsync());

        await trial.Topics.Sns.UnsubscribeAsync(queue.SubscriptionArn, CancellationToken.None);
        await trial.Topics.Sns.UnsubscribeAsync(queue.SubscriptionArn, CancellationToken.None);
    }

    [Behaviour]
    public static async Task A_topic_that_does_not_exist_has_no_subscriptions(Trial trial)
    {
        var topic = await trial.CreateTopicAsync();
        var queue = await trial.SubscribeQueueAsync(topic);

        await Steps.RefusedAsync(
            SnsErrorCode.NotFound, trial.Topics.Sns.SubscribeQueueAsync($"{topic}-not", queue.Arn, CancellationToken.None));
        await Steps.RefusedAsync(SnsErrorCode.NotFound, trial.Topics.Sns.ListSubscriptionsAsync($"{topic}-not", CancellationToken.None));
    }

    [Behaviour]
    public static async Task A_queue_whose_policy_does_not_name_the_topic_gets_nothing_without_an_error(Trial trial)
    {
        var topic = await trial.CreateTopicAsync();
        var silent = await trial.SubscribeQueueAsync(topic, allowed: false);
        var queue = await trial.SubscribeQueueAsync(topic);

        await trial.Topics.PublishAsync(topic, "for one");

        Assert.Equal("for one", (await trial.Sqs.ReceiveOneAsync(queue.Url)).Text());
        // A server that sends it to both may do so one after the other.
        Assert.Empty(await trial.Sqs.PollAsync(silent.Url, TimeSpan.FromSeconds(5)));
    }

    [Behaviour]
    public static async Task The_policy_of_a_queue_can_be_read(Trial trial)
    {
        var topic = await trial.CreateTopicAsync();
        var queue = await trial.SubscribeQueueAsync(topic);

        var policy = (await trial.Sqs.GetQueueAttributesAsync(queue.Url, CancellationToken.None)).Settings.Policy;

        Assert.Contains(topic, policy, StringComparison.Ordinal);
    }
}
