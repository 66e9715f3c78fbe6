using System.Net.WebSockets;
using System.Text;

namespace PubSubOverWs.Tests.Relay;

/// <summary>The client's end of a WebSocket connection to the server under test.</summary>
/// <param name="transport">The server's end of the connection below.</param>
/// <param name="session">Ends with the server's session.</param>
internal class TestClient(WebSocket socket, MemoryTransport transport, Task session)
{
    public WebSocket Socket { get; } = socket;
    public MemoryTransport ServerTransport { get; } = transport;
    public Task SessionEnded => session.Patiently();

    public Task SendTextAsync(string text, bool endOfMessage = true) =>
        SendAsync(Encoding.UTF8.GetBytes(text), WebSocketMessageType.Text, endOfMessage);

    public Task SendBinaryAsync(byte[] bytes, bool endOfMessage = true) => SendAsync(bytes, WebSocketMessageType.Binary, endOfMessage);

    public Task SendAsync(byte[] bytes, WebSocketMessageType kind, bool endOfMessage = true) =>
        Socket.SendAsync(bytes, kind, endOfMessage, CancellationToken.None).Patiently();

    /// <summary>The next message as a whole. Fails when the server closes instead.</summary>
    public async Task<(WebSocketMessageType Kind, byte[] Bytes)> ReceiveMessageAsync()
    {
        var message = await TryReceiveMessageAsync();
        Assert.True(message is not null, $"The server closed: {Socket.CloseStatus} {Socket.CloseStatusDescription}");
        return message.Value;
    }

    /// <summary>Reads what is still to come, up to the server's close frame, and answers that.</summary>
    /// <param name="isNext">Nothing may be to come before it.</param>
    public async Task<(WebSocketCloseStatus? Status, string? Reason)> ReceiveCloseAsync(bool isNext = false)
    {
        while (await TryReceiveMessageAsync() is { } message)
            Assert.False(isNext, $"Before the close frame came {Encoding.UTF8.GetString(message.Bytes)}");
        if (Socket.State == WebSocketState.CloseReceived)
            await CloseAsync();
        return (Socket.CloseStatus, Socket.CloseStatusDescription);
    }

    /// <summary>Sends a close frame; does not wait for the server's.</summary>
    public Task CloseAsync() => Socket.CloseOutputAsync(WebSocketCloseStatus.NormalClosure, "", CancellationToken.None).Patiently();

    /// <summary>Says goodbye, and waits until the server has forgotten the connection.</summary>
    public async Task LeaveAsync()
    {
        await CloseAsync();
        await SessionEnded;
    }

    private async Task<(WebSocketMessageType Kind, byte[] Bytes)?> TryReceiveMessageAsync()
    {
        using var message = new MemoryStream();
        var buffer = new byte[16 * 1024];
        while (true)
        {
            var received = await Socket.ReceiveAsync(buffer, CancellationToken.None).Patiently();
            if (received.MessageType == WebSocketMessageType.Close)
                return null;
            message.Write(buffer, 0, received.Count);
            if (received.EndOfMessage)
                return (received.MessageType, message.ToArray());
        }
    }
}
