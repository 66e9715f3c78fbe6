namespace PubSubOverWs.PubSubServer;

internal static partial class Log
{
    [LoggerMessage(1, LogLevel.Information, "Queue {Url} is open; what cannot be delivered goes to {DeadLetterUrl}.")]
    public static partial void Opened(this ILogger log, string url, string deadLetterUrl);

    [LoggerMessage(2, LogLevel.Warning, "A call to the queue failed: {Reason}")]
    public static partial void CallFailed(this ILogger log, string reason);

    [LoggerMessage(3, LogLevel.Warning, "A publish failed: {Reason}")]
    public static partial void PublishFailed(this ILogger log, string reason);
}
