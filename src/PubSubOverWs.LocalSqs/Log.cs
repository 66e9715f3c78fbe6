namespace PubSubOverWs.LocalSqs;

internal static partial class Log
{
    [LoggerMessage(Level = LogLevel.Information, Message = "LocalSqs keeps its messages in memory, at most {MaxBytes} bytes of them (0: no bound): when this process ends, they are gone.")]
    public static partial void InMemory(ILogger logger, long maxBytes);
}
