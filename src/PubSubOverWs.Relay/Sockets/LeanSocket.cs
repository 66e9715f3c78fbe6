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
/// <param name="silence">Says when a silent client is sent a PING, and when it is cut.</param>
/// <param name="time">For that.</param>
internal sealed partial class LeanSocket(ConnectionContext connection, string? subProtocol, Silence silence, TimeProvider time)
    : WebSocket, IWire
{
    private readonly PipeReader _input = connection.Transport.Input;
    private readonly PipeWriter _output = connection.Transport.Output;
    private volatile bool _isCloseSent;
    private volatile bool _isCloseReceived;
    private volatile bool _isAborted;
    private WebSocketCloseStatus? _closeStatus;
    private string? _closeReason;
    private ITimer? _timer;
    private long _heard = time.GetTimestamp();
    private long _asked;
    private Task _ping = Task.CompletedTask;

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

    /// <summary>Answers the handshake, and from then on asks a silent client whether it is there, if clients are to be asked.</summary>
    /// <param name="answer">Its bytes; they do not count.</param>
    public async Task OpenAsync(ReadOnlyMemory<byte> answer)
    {
        if (silence.Most > TimeSpan.Zero)
            _timer = time.CreateTimer(socket => ((LeanSocket)socket!).OnTime(), this, silence.Most, Timeout.InfiniteTimeSpan);
        await _output.WriteAsync(answer, CancellationToken.None);
    }

    /// <summary>Cuts the connection: a receive and a send under way fail.</summary>
    public override void Abort()
    {
        _isAborted = true;
        _timer?.Dispose();
        connection.Abort();
    }

    public override void Dispose() => _timer?.Dispose();

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

    // One timer, which is set for the moment at which there may be something to do, so that a connection costs nothing meanwhile.
    private void OnTime()
    {
        if (_isAborted || _isCloseReceived)
            return;
        var (now, heard) = (time.GetTimestamp(), Volatile.Read(ref _heard));
        var left = silence.Most - time.GetElapsedTime(heard, now);
        if (_asked != 0 && heard < _asked)
        {
            Abort();
            return;
        }
        (_asked, var next) = left > TimeSpan.Zero ? (0, left) : (now, silence.Answer);
        if (_asked != 0)
            _ping = PingAsync();
        _timer?.Change(next, Timeout.InfiniteTimeSpan);
    }

    // A socket that takes nothing has no answer to its ping either.
    private async Task PingAsync()
    {
        try
        {
            await _ping;
            await SendControlAsync(Opcode.Ping, default);
        }
        catch (Exception gone) when (gone is IOException or OperationCanceledException or InvalidOperationException)
        {
            // The receive under way says so to the session, or the connection has ended meanwhile.
        }
    }
}

/// <summary>How long a client may be silent.</summary>
/// <param name="Most">Then it is sent a PING; 0: never.</param>
/// <param name="Answer">How long it may take to answer, before it is cut.</param>
internal sealed record Silence(TimeSpan Most, TimeSpan Answer);
