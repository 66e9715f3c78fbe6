namespace PubSubOverWs.Sqs;

/// <summary>One operation of SQS, or of SNS (<see cref="SnsOperation"/>): its name, and the kind of call that it counts as.</summary>
internal sealed class SqsOperation(string name, SqsCall kind)
{
    public static readonly SqsOperation CreateQueue = new(nameof(CreateQueue), SqsCall.Other);
    public static readonly SqsOperation GetQueueUrl = new(nameof(GetQueueUrl), SqsCall.Other);
    public static readonly SqsOperation GetQueueAttributes = new(nameof(GetQueueAttributes), SqsCall.Other);
    public static readonly SqsOperation DeleteQueue = new(nameof(DeleteQueue), SqsCall.Other);
    public static readonly SqsOperation ListQueues = new(nameof(ListQueues), SqsCall.Other);
    public static readonly SqsOperation SendMessageBatch = new(nameof(SendMessageBatch), SqsCall.Send);
    public static readonly SqsOperation ReceiveMessage = new(nameof(ReceiveMessage), SqsCall.Receive);
    public static readonly SqsOperation DeleteMessageBatch = new(nameof(DeleteMessageBatch), SqsCall.Delete);
    public static readonly SqsOperation ChangeMessageVisibilityBatch = new(nameof(ChangeMessageVisibilityBatch), SqsCall.ChangeVisibility);

    private static readonly SqsOperation[] CountedApart = [SendMessageBatch, ReceiveMessage, DeleteMessageBatch,
        ChangeMessageVisibilityBatch];

    public string Name { get; } = name;

    /// <summary>The value of <c>X-Amz-Target</c>; SNS has no such header.</summary>
    public string Target { get; } = "AmazonSQS." + name;

    public SqsCall Kind { get; } = kind;

    /// <param name="target">The value of <c>X-Amz-Target</c>.</param>
    public static SqsOperation FromTarget(string target) =>
        Array.Find(CountedApart, operation => operation.Target == target)
            ?? new SqsOperation(target[(target.LastIndexOf('.') + 1)..], SqsCall.Other);
}
