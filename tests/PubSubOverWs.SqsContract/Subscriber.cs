namespace PubSubOverWs.SqsContract;

/// <summary>A queue that gets the messages of a topic.</summary>
/// <param name="Url">To receive from.</param>
/// <param name="Arn">Its name for SNS.</param>
/// <param name="SubscriptionArn">For ending the subscription.</param>
public sealed record Subscriber(string Url, string Arn, string SubscriptionArn);
