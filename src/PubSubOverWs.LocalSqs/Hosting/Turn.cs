using Microsoft.AspNetCore.Connections;

namespace PubSubOverWs.LocalSqs;

/// <summary>
/// How many requests a connection has made. A client that sends them without a pause would keep the thread that is told of its bytes, and
/// with it all other connections of that thread (decision 0194).
/// </summary>
internal sealed class Turn
{
    private const int Most = 64;

    private int _requests;

    /// <summary>Gives each connection its own.</summary>
    public static ConnectionDelegate Before(ConnectionDelegate next) => connection =>
    {
        connection.Features.Set(new Turn());
        return next(connection);
    };

    /// <summary>Counts a request. True: others are to have their turn before it is answered.</summary>
    public static bool IsOver(HttpContext http) => http.Features.Get<Turn>() is { } turn && ++turn._requests % Most == 0;
}
