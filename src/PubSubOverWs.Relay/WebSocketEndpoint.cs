using System.Net;

namespace PubSubOverWs.Relay;

/// <summary>Answers <c>/ws</c>: STOMP when the client offers a sub-protocol of it, the raw relay when it offers none.</summary>
internal sealed class WebSocketEndpoint(RelayContext relay, Connections connections)
{
    // Best first. Which version is spoken is settled by CONNECT; the sub-protocol says only that it is STOMP.
    private static readonly string[] Known = ["v12.stomp", "v11.stomp", "v10.stomp"];

    public async Task AcceptAsync(HttpContext context)
    {
        if (Refusal(context, out var protocol, out var bearer) is (var status, var why))
        {
            await RefuseAsync(context, status, why);
            return;
        }
        var address = ClientAddress.Of(context.Connection.RemoteIpAddress);
        if (relay.Counts.TryEnter(address) is (var limit, var tooMany))
        {
            relay.Meter.AddLimited();
            await RefuseAsync(context, limit, tooMany);
            return;
        }
        try
        {
            await AcceptAsync(context, address, protocol, bearer);
        }
        finally
        {
            relay.Counts.Leave(address);
        }
    }

    private async Task AcceptAsync(HttpContext context, IPAddress address, string? protocol, User? bearer)
    {
        using var socket = await context.WebSockets.AcceptWebSocketAsync(new WebSocketAcceptContext
        {
            SubProtocol = protocol,
            KeepAliveInterval = relay.Options.KeepAlive > TimeSpan.Zero ? relay.Options.KeepAlive : Timeout.InfiniteTimeSpan,
            KeepAliveTimeout = relay.Options.KeepAliveTimeout,
        });
        var stream = context.Features.Get<CorkedUpgrade>()!.Stream!;
        using var connection = new Connection(relay, socket, stream, connections.NextId(), address);
        await RunAsync(connection, protocol is not null, bearer);
    }

    private async Task RunAsync(Connection connection, bool isStomp, User? bearer)
    {
        relay.Meter.AddOpened();
        try
        {
            await connections.RunAsync(isStomp ? new StompSession(relay, connection, bearer) : new RawSession(relay, connection));
        }
        finally
        {
            relay.Meter.AddClosed();
        }
    }

    /// <summary>Why a handshake is refused; null: it is not.</summary>
    /// <param name="context">The handshake.</param>
    /// <param name="protocol">What is spoken; null: the raw relay.</param>
    /// <param name="bearer">Whose token it shows; null: nobody's.</param>
    private (int Status, string Why)? Refusal(HttpContext context, out string? protocol, out User? bearer)
    {
        (protocol, bearer) = (null, null);
        if (!context.WebSockets.IsWebSocketRequest)
            return (StatusCodes.Status400BadRequest, "This address answers WebSocket handshakes only: connect with ws:// and the header Upgrade: websocket.");
        // As over HTTP/2, where an endpoint of Kestrel's own settings speaks it.
        if (context.Features.Get<CorkedUpgrade>() is null)
            return (StatusCodes.Status400BadRequest, $"WebSockets are spoken over HTTP/1.1 here, not over {context.Request.Protocol}: have the client use that.");
        if (connections.IsStopping)
            return (StatusCodes.Status503ServiceUnavailable, "The server is stopping: connect to another one, or again in a moment.");
        if (!relay.Gate.Origins.Allows(context.Request))
            return (StatusCodes.Status403Forbidden, $"Pages of {context.Request.Headers.Origin} may not connect here: add the origin to Access:Origins if they shall.");
        if (!relay.Gate.TryIdentify(context.Request, out bearer))
            return (StatusCodes.Status401Unauthorized, "The bearer token is nobody's: check it, or have another one made.");
        var offered = context.WebSockets.WebSocketRequestedProtocols;
        protocol = Known.FirstOrDefault(offered.Contains);
        if (protocol is not null)
            return null;
        return offered.Count > 0
            ? (StatusCodes.Status400BadRequest, $"No sub-protocol in common: the client offers {string.Join(", ", offered)}; this server speaks {string.Join(", ", Known)}, or the raw relay when none is offered.")
            : RawRefusal(bearer);
    }

    // The raw relay has no frame in which somebody could log in.
    private (int Status, string Why)? RawRefusal(User? bearer)
    {
        if (!relay.Gate.HasUsers)
            return null;
        if (bearer is null)
            return (StatusCodes.Status401Unauthorized, "The raw relay wants a bearer token: send it in the header Authorization, as Bearer TOKEN, or speak STOMP and log in.");
        return bearer.MayPublish(DestinationName.Raw)
            ? null
            : (StatusCodes.Status403Forbidden, $"The user '{bearer.Login}' may not publish to {DestinationName.Raw}, as the raw relay does: have it added to the user's entry in the file of users.");
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
