namespace PubSubOverWs.Sqs;

/// <summary>The operations of SNS that we use.</summary>
internal static class SnsOperation
{
    public static readonly SqsOperation CreateTopic = new(nameof(CreateTopic), SqsCall.Other);
    public static readonly SqsOperation DeleteTopic = new(nameof(DeleteTopic), SqsCall.Other);
    public static readonly SqsOperation ListTopics = new(nameof(ListTopics), SqsCall.Other);
    public static readonly SqsOperation Subscribe = new(nameof(Subscribe), SqsCall.Other);
    public static readonly SqsOperation Unsubscribe = new(nameof(Unsubscribe), SqsCall.Other);
    public static readonly SqsOperation ListSubscriptionsByTopic = new(nameof(ListSubscriptionsByTopic), SqsCall.Other);
    public static readonly SqsOperation PublishBatch = new(nameof(PublishBatch), SqsCall.Send);
}
