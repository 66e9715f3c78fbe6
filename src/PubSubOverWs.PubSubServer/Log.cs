using PubSubOverWs.Queues;

namespace PubSubOverWs.PubSubServer;

/// <summary>Events from 100, as those below are the relay's: of the queue first, then those of nodes.</summary>
internal static partial class Log
{
    [LoggerMessage(100, LogLevel.Information, "Queue {Url} is open; what cannot be delivered goes to {DeadLetterUrl}.")]
    public static partial void Opened(this ILogger log, string url, string deadLetterUrl);

    [LoggerMessage(101, LogLevel.Warning, "{Reason} This is not logged again until it works again.")]
    public static partial void CallsFail(this ILogger log, string reason);

    [LoggerMessage(102, LogLevel.Information, "{Kind} calls to {QueueUrl} work again, {Seconds:0.#} s after the first that failed.")]
    public static partial void CallsWork(this ILogger log, QueueCall kind, string queueUrl, double seconds);

    [LoggerMessage(103, LogLevel.Warning, "Message {MessageId} in the queue is no envelope: {Reason}. It goes to the dead-letter queue.")]
    public static partial void NoEnvelope(this ILogger log, string messageId, string reason);

    [LoggerMessage(104, LogLevel.Warning,
        "The dead-letter queue {Url} refused message {MessageId} with {Code} ({Reason}): it is tried again in 15 min. "
        + "See whether the queue's MaximumMessageSize is as large as that of the other.")]
    public static partial void DeadLetterRefused(this ILogger log, string messageId, string url, string code, string reason);

    [LoggerMessage(110, LogLevel.Information, "Node {Node} shares the work from now on.")]
    public static partial void HeardOf(this ILogger log, string node);

    [LoggerMessage(111, LogLevel.Warning, "Node {Node} left or is not heard any more: this node reads its queue {Url}.")]
    public static partial void Adopted(this ILogger log, string node, string url);

    [LoggerMessage(112, LogLevel.Information, "The queue of node {Node}, {Url}, stayed empty and is deleted.")]
    public static partial void Deleted(this ILogger log, string node, string url);

    [LoggerMessage(113, LogLevel.Warning, "Message {MessageId} in the queue {Name} is no announcement of a node: it is deleted.")]
    public static partial void NoAnnouncement(this ILogger log, string messageId, string name);

    [LoggerMessage(
        114, LogLevel.Warning,
        "The queue {Name} was, or may have been, taken from the topic {TopicArn}: subscribers of topics here are told, and disconnected.")]
    public static partial void FeedBroke(this ILogger log, string name, string topicArn);

    [LoggerMessage(115, LogLevel.Information, "The queue {Name} gets the messages of the topic {TopicArn} again.")]
    public static partial void FeedIsWhole(this ILogger log, string name, string topicArn);
}
