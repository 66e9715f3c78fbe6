namespace PubSubOverWs.Relay;

/// <summary>Events 1 to 99; those of a server that uses the relay begin at 100.</summary>
internal static partial class Log
{
    [LoggerMessage(1, LogLevel.Information,
        "Clients can make this server take at most {Mebibytes} MiB of resident memory with {Connections} connections ({Why}): "
        + "{Parts}, and {Kibibytes} KiB for each connection.")]
    public static partial void MaxMemory(this ILogger log, long mebibytes, int connections, string why, string parts, long kibibytes);

    [LoggerMessage(2, LogLevel.Warning, "A client was refused for its header Origin; later refusals are not logged. {Reason}")]
    public static partial void OriginRefused(this ILogger log, string reason);

    [LoggerMessage(3, LogLevel.Debug, "Connection {Connection} was refused: {Reason}")]
    public static partial void Refused(this ILogger log, string connection, string reason);

    [LoggerMessage(4, LogLevel.Information,
        "Connection {Connection} made no write progress for {Seconds:0.###} s while messages waited (Relay:SlowConsumerTimeout); it is "
        + "closed.")]
    public static partial void Stuck(this ILogger log, string connection, double seconds);

    [LoggerMessage(5, LogLevel.Error, "The broker failed unexpectedly on connection {Connection}; the connection was cut.")]
    public static partial void BrokerFailed(this ILogger log, string connection, Exception exception);

    [LoggerMessage(6, LogLevel.Error, "Sending failed unexpectedly on connection {Connection}; the connection was cut.")]
    public static partial void SendingFailed(this ILogger log, string connection, Exception exception);

    [LoggerMessage(7, LogLevel.Information, "STOMP clients connect to {WebSocket}; browsers find the page at {Page}.")]
    public static partial void Listening(this ILogger log, string webSocket, string page);

    [LoggerMessage(8, LogLevel.Warning,
        "This process may have {Limit} files and sockets open: that is enough for about {Connections} connections, not for "
        + "Relay:MaxConnections ({MaxConnections}). More wait until others are closed. Raise the limit (ulimit -n), or lower the setting.")]
    public static partial void FewDescriptors(this ILogger log, int? limit, int connections, int maxConnections);

    [LoggerMessage(9, LogLevel.Error, "Serving the connection of {Client} failed unexpectedly; it was closed.")]
    public static partial void ServingFailed(this ILogger log, System.Net.EndPoint? client, Exception exception);

    [LoggerMessage(10, LogLevel.Error, "The session of connection {Connection} failed unexpectedly; its client is told, and it is closed.")]
    public static partial void SessionFailed(this ILogger log, string connection, Exception exception);
}
