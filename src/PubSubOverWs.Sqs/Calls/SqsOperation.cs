using PubSubOverWs.Queues;

namespace PubSubOverWs.Sqs;

/// <summary>One operation of SQS, or of SNS (<see cref="SnsOperation"/>): its name, and the kind of call that it counts as.</summary>
internal sealed class SqsOperation(string name, QueueCall kind)
{
    public static readonly SqsOperation CreateQueue = new(nameof(CreateQueue), QueueCall.Other);
    public static readonly SqsOperation GetQueueUrl = new(nameof(GetQueueUrl), QueueCall.Other);
    public static readonly SqsOperation GetQueueAttributes = new(nameof(GetQueueAttributes), QueueCall.Other);
    public static readonly SqsOperation DeleteQueue = new(nameof(DeleteQueue), QueueCall.Other);
    public static readonly SqsOperation ListQueues = new(nameof(ListQueues), QueueCall.Other);
    public static readonly SqsOperation SendMessageBatch = new(nameof(SendMessageBatch), QueueCall.Send);
    public static readonly SqsOperation ReceiveMessage = new(nameof(ReceiveMessage), QueueCall.Receive);
    public static readonly SqsOperation DeleteMessageBatch = new(nameof(DeleteMessageBatch), QueueCall.Settle);
    public static readonly SqsOperation ChangeMessageVisibilityBatch = new(nameof(ChangeMessageVisibilityBatch), QueueCall.Hold);

    private static readonly SqsOperation[] CountedApart = [SendMessageBatch, ReceiveMessage, DeleteMessageBatch,
        ChangeMessageVisibilityBatch];

    public string Name { get; } = name;

    /// <summary>The value of <c>X-Amz-Target</c>; SNS has no such header.</summary>
    public string Target { get; } = "AmazonSQS." + name;

    public QueueCall Kind { get; } = kind;

    /// <param name="target">The value of <c>X-Amz-Target</c>.</param>
    public static SqsOperation FromTarget(string target) =>
        Array.Find(CountedApart, operation => operation.Target == target)
            ?? new SqsOperation(target[(target.LastIndexOf('.') + 1)..], QueueCall.Other);
}
