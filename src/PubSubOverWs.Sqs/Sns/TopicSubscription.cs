namespace PubSubOverWs.Sqs;

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
