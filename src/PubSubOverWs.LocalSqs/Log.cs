namespace PubSubOverWs.LocalSqs;

internal static partial class Log
{
    [LoggerMessage(1, LogLevel.Information,
        "LocalSqs keeps its messages in memory, at most {MaxBytes} bytes of them (0: no bound): when this process ends, they are gone.")]
    public static partial void InMemory(ILogger logger, long maxBytes);

    [LoggerMessage(2, LogLevel.Warning, "{Topic} does not deliver to {Queue}: {Reason}. As with SNS, its publishers are not told.")]
    public static partial void NotDelivered(ILogger logger, string topic, string queue, string reason);

    [LoggerMessage(3, LogLevel.Warning, "The subscription of {Queue} to {Topic} ends: {Messages} messages were not delivered.")]
    public static partial void EndsWithLosses(ILogger logger, string queue, string topic, long messages);
}
