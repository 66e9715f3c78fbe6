namespace PubSubOverWs.Sqs;

/// <summary>A queue that a topic copies its messages to.</summary>
/// <param name="SubscriptionArn">For <see cref="ISns.UnsubscribeAsync"/>.</param>
/// <param name="QueueArn">As <see cref="QueueAttributes.Arn"/> names it.</param>
public sealed record TopicSubscription(string SubscriptionArn, string QueueArn);
