using System.Net.WebSockets;

namespace PubSubOverWs.Relay;

/// <summary>Answers <c>/ws</c>: STOMP when the client offers a sub-protocol of it, the raw relay when it offers none.</summary>
internal sealed class WebSocketEndpoint(RelayContext relay, Connections connections)
{
    // Best first. Which version is spoken is settled by CONNECT; the sub-protocol says only that it is STOMP.
    private static readonly string[] Known = ["v12.stomp", "v11.stomp", "v10.stomp"];

    public async Task AcceptAsync(HttpContext context)
    {
        if (!context.WebSockets.IsWebSocketRequest)
        {
            await RefuseAsync(context, "This address answers WebSocket handshakes only: connect with ws:// and the header Upgrade: websocket.");
            return;
        }
        var offered = context.WebSockets.WebSocketRequestedProtocols;
        var protocol = Known.FirstOrDefault(offered.Contains);
        if (protocol is null && offered.Count > 0)
        {
            await RefuseAsync(context, $"No sub-protocol in common: the client offers {string.Join(", ", offered)}; this server speaks {string.Join(", ", Known)}, or the raw relay when none is offered.");
            return;
        }
        using var socket = await context.WebSockets.AcceptWebSocketAsync(new WebSocketAcceptContext
        {
            SubProtocol = protocol,
            // STOMP has its heart-beats; bytes that nobody asked for would be counted as egress.
            KeepAliveInterval = Timeout.InfiniteTimeSpan,
        });
        await RunAsync(socket, context.Features.Get<CorkedUpgrade>()!.Stream!, protocol is not null);
    }

    private async Task RunAsync(WebSocket socket, CorkedStream stream, bool isStomp)
    {
        using var connection = new Connection(relay, socket, stream, connections.NextId());
        relay.Meter.AddOpened();
        try
        {
            await connections.RunAsync(isStomp ? new StompSession(relay, connection) : new RawSession(relay, connection));
        }
        finally
        {
            relay.Meter.AddClosed();
        }
    }

    private Task RefuseAsync(HttpContext context, string reason)
    {
        relay.Meter.AddRefused();
        context.Response.StatusCode = StatusCodes.Status400BadRequest;
        context.Response.ContentType = "text/plain; charset=utf-8";
        return context.Response.WriteAsync(reason + "\n", context.RequestAborted);
    }
}
