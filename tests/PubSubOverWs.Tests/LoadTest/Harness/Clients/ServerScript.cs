using System.Net.WebSockets;
using System.Text;

namespace PubSubOverWs.Tests.LoadTest.Harness.Clients;

/// <summary>The bytes of a server, as the runtime's own WebSocket writes them: the oracle for our client side.</summary>
internal sealed class ServerScript : IDisposable
{
    private readonly MemoryStream _written = new();
    private readonly WebSocket _socket;

    public ServerScript() => _socket = WebSocket.CreateFromStream(_written, new WebSocketCreationOptions { IsServer = true });

    public byte[] Bytes => _written.ToArray();

    public Task SendAsync(string text, bool endOfMessage = true) => SendAsync(Encoding.UTF8.GetBytes(text), endOfMessage);

    public Task SendAsync(byte[] payload, bool endOfMessage = true) =>
        _socket.SendAsync(payload, WebSocketMessageType.Text, endOfMessage, CancellationToken.None);

    public Task CloseAsync() => _socket.CloseOutputAsync(WebSocketCloseStatus.NormalClosure, null, CancellationToken.None);

    /// <summary>A frame that the runtime has no call for.</summary>
    public void Raw(params byte[] frame) => _written.Write(frame);

    public void Dispose()
    {
        _socket.Dispose();
        _written.Dispose();
    }
}
