namespace PubSubOverWs.PubSubServer;

internal static partial class Log
{
    [LoggerMessage(1, LogLevel.Information, "Queue {Url} is open; what cannot be delivered goes to {DeadLetterUrl}.")]
    public static partial void Opened(this ILogger log, string url, string deadLetterUrl);

    [LoggerMessage(2, LogLevel.Warning, "A call to the queue failed: {Reason}")]
    public static partial void CallFailed(this ILogger log, string reason);

    [LoggerMessage(3, LogLevel.Warning, "Message {MessageId} in the queue is no envelope: {Reason}. It goes to the dead-letter queue.")]
    public static partial void NoEnvelope(this ILogger log, string messageId, string reason);
}
