using System.Net;
using System.Net.WebSockets;
using System.Security.Cryptography;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Http.Features;

namespace PubSubOverWs.Relay;

/// <summary>
/// Answers <c>/ws</c>, where a client speaks STOMP when it offers a sub-protocol of it or begins with CONNECT, and uses the raw relay
/// otherwise; and <c>/raw</c>, which is the raw relay whatever comes.
/// </summary>
internal sealed class WebSocketEndpoint(RelayContext relay, Connections connections, NodeId node)
{
    // Best first. Which version is spoken is settled by CONNECT; the sub-protocol says only that it is STOMP.
    private static readonly string[] Known = ["v12.stomp", "v11.stomp", "v10.stomp"];

    private bool _hasToldOfOrigins;

    /// <summary>A handler in front of <paramref name="next"/>, which gets what is for other addresses.</summary>
    /// <remarks>No endpoint of the router: a service that an endpoint asks for has a scope, for as long as the WebSocket is open.</remarks>
    public RequestDelegate Before(RequestDelegate next) => context =>
        Is(context, "/ws") ? AcceptAsync(context, isRaw: false) : Is(context, "/raw") ? AcceptAsync(context, isRaw: true) : next(context);

    /// <summary>Counts the connection of a handshake that is accepted, for <see cref="ServeAsync"/>.</summary>
    /// <param name="context">The handshake, of which nothing is answered here.</param>
    /// <returns>Null: it is refused, and <see cref="Before"/> says why.</returns>
    public Client? TryEnter(HttpContext context, bool isRaw) =>
        Refusal(context, isRaw, out var client) is null && relay.Counts.TryEnter(client.Address) is null ? client : null;

    /// <summary>Serves the WebSocket of a client that was counted, to its end.</summary>
    /// <param name="opening">Answers the handshake: the WebSocket, which is disposed at its end, and what lies below it.</param>
    public Task ServeAsync(Task<(WebSocket Socket, IWire Wire)> opening, Client client, IConnectionLifetimeFeature lifetime) =>
        BeginAsync(opening, client).Then(session => connections.RunAsync(session, lifetime));

    // As the router compares: in either case, and with a slash at the end.
    private static bool Is(HttpContext context, string path) =>
        context.Request.Path.StartsWithSegments(path, out var rest) && rest.Value is null or "" or "/";

    private Task AcceptAsync(HttpContext context, bool isRaw)
    {
        Client? client = null;
        if ((NoUpgrade(context) ?? Refusal(context, isRaw, out client)) is (var status, var why))
            return RefuseAsync(context, status, why);
        var lifetime = context.Features.GetRequiredFeature<IConnectionLifetimeFeature>();
        if (relay.Counts.TryEnter(client!.Address) is (var limit, var tooMany))
        {
            relay.Meter.AddLimited();
            return RefuseAsync(context, limit, tooMany);
        }
        return ServeAsync(UpgradeAsync(context, client.Protocol), client, lifetime);
    }

    private static async Task<(WebSocket Socket, IWire Wire)> UpgradeAsync(HttpContext context, string? subProtocol)
    {
        var socket = await context.WebSockets.AcceptWebSocketAsync(new WebSocketAcceptContext
        {
            SubProtocol = subProtocol,
            // The session clock does it: the framework has a timer for each connection, which goes off every few seconds.
            KeepAliveInterval = Timeout.InfiniteTimeSpan,
        });
        return (socket, CorkedUpgrade.Find(context)!.Stream!);
    }

    private async Task<Session> BeginAsync(Task<(WebSocket Socket, IWire Wire)> opening, Client client)
    {
        WebSocket? socket = null;
        try
        {
            (socket, var wire) = await opening;
            return CreateSession(client, new Connection(relay, socket, wire, node.NextConnectionId(), client.Address));
        }
        catch
        {
            relay.Counts.Leave(client.Address);
            socket?.Dispose();
            throw;
        }
    }

    private Session CreateSession(Client client, Connection connection) => client switch
    {
        { IsRaw: true } => new RawSession(relay, connection),
        { Protocol: not null } => new StompSession(relay, connection, client.Bearer),
        _ => new OpeningSession(relay, connection, client.Bearer, RawRefusal(client.Bearer)?.Why),
    };

    /// <summary>Which rule of RFC 6455, 4.2.1, the handshake breaks; null: none.</summary>
    private static (int Status, string Why)? NoUpgrade(HttpContext context)
    {
        var headers = context.Request.Headers;
        // Kestrel would upgrade a request of HTTP/1.0 as well.
        var isOver11 = context.Request.Protocol == HttpProtocol.Http11;
        if (isOver11 && context.WebSockets.IsWebSocketRequest && CorkedUpgrade.Find(context) is not null)
            return null;
        return (StatusCodes.Status400BadRequest, Why());

        string Why()
        {
            // As over HTTP/2, where an endpoint of Kestrel's own settings speaks it.
            if (!isOver11)
                return $"This server supports WebSockets over HTTP/1.1 only, not over {context.Request.Protocol}: configure the client to "
                    + "use HTTP/1.1.";
            if (!HttpMethods.IsGet(context.Request.Method))
                return $"A WebSocket handshake is a GET, not a {context.Request.Method}: connect with ws://.";
            if (headers.Upgrade.Count == 0)
                return "This address answers WebSocket handshakes only: connect with ws:// and the header Upgrade: websocket.";
            if (!"websocket".Equals(headers.Upgrade, StringComparison.OrdinalIgnoreCase))
                return $"The header Upgrade of a handshake is websocket, not '{headers.Upgrade}': connect with ws://.";
            if (!headers.Connection.ToString().Contains("Upgrade", StringComparison.OrdinalIgnoreCase))
                return "The header Connection must name Upgrade: send Connection: Upgrade, and have proxies between pass it on.";
            if (headers.SecWebSocketVersion != "13")
            {
                context.Response.Headers.SecWebSocketVersion = "13";
                return $"This server speaks version 13 of the WebSocket protocol, not '{headers.SecWebSocketVersion}': send the header "
                    + "Sec-WebSocket-Version: 13.";
            }
            return $"The header Sec-WebSocket-Key must be 16 bytes in base64, not '{headers.SecWebSocketKey}': choose them anew for each "
                + "connection.";
        }
    }

    /// <summary>Why a handshake is refused; null: it is not.</summary>
    private (int Status, string Why)? Refusal(HttpContext context, bool isRaw, out Client client)
    {
        client = new Client(isRaw, null, null, ClientAddress.From(context.Features.Get<IHttpConnectionFeature>()?.RemoteIpAddress));
        if (connections.IsStopping)
            return (StatusCodes.Status503ServiceUnavailable, "The server is stopping: connect to another one, or again in a moment.");
        if (!relay.Gate.Origins.Allows(context.Request))
            return (StatusCodes.Status403Forbidden, OriginRefusal($"{context.Request.Headers.Origin}"));
        if (!relay.Gate.TryIdentify(context.Request, out var bearer))
            return (StatusCodes.Status401Unauthorized, "No user has this bearer token: check it, or ask for a new one.");
        var offered = context.WebSockets.WebSocketRequestedProtocols;
        client = client with { Protocol = isRaw ? null : Known.FirstOrDefault(offered.Contains), Bearer = bearer };
        if (client.Protocol is null && offered.Count > 0)
        {
            var spoken = isRaw
                ? "/raw has none: connect without one"
                : $"this server speaks {string.Join(", ", Known)}, and takes clients that offer none";
            var why = $"No sub-protocol in common: the client offers {string.Join(", ", offered)}; {spoken}.";
            return (StatusCodes.Status400BadRequest, why);
        }
        return isRaw ? RawRefusal(bearer) : null;
    }

    // The raw relay has no frame for a login.
    private (int Status, string Why)? RawRefusal(User? bearer)
    {
        if (!relay.Gate.HasUsers)
            return null;
        if (bearer is null)
            return (StatusCodes.Status401Unauthorized,
                "The raw relay wants a bearer token: send it in the header Authorization, as Bearer TOKEN, or speak STOMP and log in.");
        return bearer.MayPublish(DestinationName.Raw)
            ? null
            : (StatusCodes.Status403Forbidden,
                $"The user '{bearer.Login}' may not publish to {DestinationName.Raw}, as the raw relay does: have it added to the user's "
                    + "entry in the users file.");
    }

    // For the operator, who does not see the answers to clients; logged once, because clients retry.
    private string OriginRefusal(string origin)
    {
        var why = OriginRule.Refusal(origin);
        if (!Interlocked.Exchange(ref _hasToldOfOrigins, true))
            relay.Log.OriginRefused(why);
        return why;
    }

    private Task RefuseAsync(HttpContext context, int status, string reason)
    {
        relay.Meter.AddRefused();
        context.Response.StatusCode = status;
        if (status == StatusCodes.Status401Unauthorized)
            context.Response.Headers.WWWAuthenticate = "Bearer";
        context.Response.ContentType = "text/plain; charset=utf-8";
        return context.Response.WriteAsync(reason + "\n", context.RequestAborted);
    }
}

/// <summary>The client that connects.</summary>
/// <param name="Protocol">The sub-protocol in common; null: none was offered.</param>
/// <param name="Bearer">The user whose token the handshake shows; null: it shows none.</param>
internal sealed record Client(bool IsRaw, string? Protocol, User? Bearer, IPAddress Address);

/// <summary>What comes before a connection is served (docs/decisions/0202).</summary>
internal static class Opening
{
    /// <summary>
    /// Goes on when the first is done. It usually is: then nothing more waits for as long as the connection is there than what serves it.
    /// </summary>
    /// <param name="first">If it fails, nothing follows.</param>
    public static Task Then<T>(this Task<T> first, Func<T, Task> next) =>
        first.IsCompletedSuccessfully ? next(first.Result) : WaitAsync(first, next);

    private static async Task WaitAsync<T>(Task<T> first, Func<T, Task> next)
    {
        var result = await first;
        // It would keep its result for as long.
        first = null!;
        await next(result);
    }
}

/// <summary>This process among all nodes: drawn at its start, so that no restart repeats an id.</summary>
public sealed class NodeId
{
    private const int Length = 6;

    private long _lastConnection;

    /// <summary>Six lower-case letters and digits.</summary>
    public string Value { get; } = RandomNumberGenerator.GetString("abcdefghijkmnpqrstuvwxyz23456789", Length);

    /// <summary>An id for a connection, unique over all nodes.</summary>
    internal string NextConnectionId() => $"{Value}.{Interlocked.Increment(ref _lastConnection)}";
}
