namespace PubSubOverWs.SqsContract;

/// <summary>A queue that gets the messages of a topic.</summary>
/// <param name="Url">To receive from.</param>
/// <param name="Arn">As SNS knows it.</param>
/// <param name="SubscriptionArn">What ends it.</param>
public sealed record Subscriber(string Url, string Arn, string SubscriptionArn);
