namespace PubSubOverWs.LocalSqs;

internal static partial class Log
{
    [LoggerMessage(Level = LogLevel.Information, Message = "LocalSqs keeps its messages in memory: when this process ends, they are gone.")]
    public static partial void InMemory(ILogger logger);
}
