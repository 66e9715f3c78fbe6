using System.IO.Pipelines;
using System.Net.WebSockets;
using Microsoft.AspNetCore.Connections;

namespace PubSubOverWs.Relay;

/// <summary>
/// A server's WebSocket (RFC 6455) on the pipes of a connection, of which it keeps no bytes while nothing comes. One reader and one writer
/// of messages at a time; it answers pings itself, and ends with a close frame when the client breaks a rule of the framing.
/// </summary>
/// <param name="connection">Aborted with the socket, and otherwise closed by its owner.</param>
/// <param name="subProtocol">Agreed on in the handshake; null: none.</param>
internal sealed partial class LeanSocket(ConnectionContext connection, string? subProtocol) : WebSocket, IWire
{
    private readonly PipeReader _input = connection.Transport.Input;
    private readonly PipeWriter _output = connection.Transport.Output;
    private volatile bool _isCloseSent;
    private volatile bool _isCloseReceived;
    private volatile bool _isAborted;
    private WebSocketCloseStatus? _closeStatus;
    private string? _closeReason;

    public override string? SubProtocol => subProtocol;

    public override WebSocketCloseStatus? CloseStatus => _closeStatus;

    public override string? CloseStatusDescription => _closeReason;

    public override WebSocketState State => (_isAborted, _isCloseSent, _isCloseReceived) switch
    {
        (true, _, _) => WebSocketState.Aborted,
        (_, true, true) => WebSocketState.Closed,
        (_, true, _) => WebSocketState.CloseSent,
        (_, _, true) => WebSocketState.CloseReceived,
        _ => WebSocketState.Open,
    };

    public bool IsCloseSent => _isCloseSent;

    public bool IsCut { get; set; }

    /// <summary>Answers the handshake.</summary>
    /// <param name="answer">Its bytes; they do not count.</param>
    public async Task OpenAsync(ReadOnlyMemory<byte> answer) => await _output.WriteAsync(answer, CancellationToken.None);

    /// <summary>Cuts the connection: a receive and a send under way fail.</summary>
    public override void Abort()
    {
        _isAborted = true;
        connection.Abort();
    }

    // The connection is its owner's to close.
    public override void Dispose()
    {
    }

    public override Task CloseAsync(WebSocketCloseStatus closeStatus, string? statusDescription, CancellationToken cancellationToken) =>
        throw new NotSupportedException("Use CloseOutputAsync, and receive until the close frame comes.");

    public override async Task<WebSocketReceiveResult> ReceiveAsync(ArraySegment<byte> buffer, CancellationToken cancellationToken)
    {
        var received = await ReceiveAsync(buffer.AsMemory(), cancellationToken);
        return new WebSocketReceiveResult(
            received.Count, received.MessageType, received.EndOfMessage, _closeStatus, _closeReason);
    }

    public override Task SendAsync(
        ArraySegment<byte> buffer, WebSocketMessageType messageType, bool endOfMessage, CancellationToken cancellationToken) =>
        SendAsync(buffer.AsMemory(), messageType, endOfMessage, cancellationToken).AsTask();
}
