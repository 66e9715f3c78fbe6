using System.Buffers.Binary;
using System.IO.Pipelines;
using System.Net.WebSockets;
using System.Text;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Connections.Features;

namespace PubSubOverWs.Relay;

/// <summary>
/// A server's WebSocket (RFC 6455) on the pipes of a connection, of which it keeps no bytes while nothing comes. One reader and one writer
/// of messages at a time; it answers pings itself, and ends with a close frame when the client breaks a rule of the framing.
/// </summary>
/// <param name="connection">Aborted with the socket, and otherwise closed by its owner.</param>
/// <param name="subProtocol">Agreed on in the handshake; null: none.</param>
internal sealed partial class LeanSocket(ConnectionContext connection, string? subProtocol) : WebSocket, IWire
{
    private const int StatusBytes = 2;

    private readonly PipeReader _input = connection.Transport.Input;
    private readonly PipeWriter _output = connection.Transport.Output;
    private volatile bool _isCloseSent;
    private volatile bool _isCloseReceived;
    private volatile bool _isAborted;
    private WebSocketCloseStatus? _closeStatus;
    private string? _closeReason;

    // Who writes has the turn, and others wait for theirs in order. Not a SemaphoreSlim, which would be 110 bytes of each connection.
    private bool _isTaken;
    private Queue<TaskCompletionSource>? _waiting;
    private long _bytesOut;

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

    public FrameBatch? Instead { get; set; }

    public IWireOwner? Owner { get; set; }

    public long BytesOut => Volatile.Read(ref _bytesOut);

    public long? Taken => Acknowledged.GetBytes(connection.Features.Get<IConnectionSocketFeature>()?.Socket);

    /// <param name="buffer">A whole message.</param>
    /// <param name="endOfMessage">True: fragments are not sent.</param>
    /// <param name="cancellationToken">Is not looked at: a message of which a part is lost would be the end of all.</param>
    public override ValueTask SendAsync(
        ReadOnlyMemory<byte> buffer, WebSocketMessageType messageType, bool endOfMessage, CancellationToken cancellationToken)
    {
        if (!endOfMessage)
            throw new NotSupportedException("Messages are sent whole.");
        var opcode = messageType == WebSocketMessageType.Text ? Opcode.Text : Opcode.Binary;
        var turn = TurnAsync();
        return turn.IsCompletedSuccessfully ? SendInTurn(buffer.Span, opcode) : SendLaterAsync(turn, buffer, opcode);
    }

    public override async Task CloseOutputAsync(
        WebSocketCloseStatus closeStatus, string? statusDescription, CancellationToken cancellationToken)
    {
        var reason = Encoding.UTF8.GetBytes(statusDescription ?? "");
        var body = new byte[StatusBytes + reason.Length];
        BinaryPrimitives.WriteUInt16BigEndian(body, (ushort)closeStatus);
        reason.CopyTo(body.AsSpan(StatusBytes));
        await SendControlAsync(Opcode.Close, body);
    }

    private async ValueTask SendLaterAsync(Task turn, ReadOnlyMemory<byte> buffer, Opcode opcode)
    {
        await turn;
        await SendInTurn(buffer.Span, opcode);
    }

    private ValueTask SendInTurn(ReadOnlySpan<byte> payload, Opcode opcode)
    {
        if (_isCloseSent || _isAborted)
        {
            EndTurn();
            return ValueTask.FromException(new IOException("The connection is closed: no data may follow."));
        }
        try
        {
            var frames = Instead;
            Instead = null;
            Count(frames?.WriteTo(_output) ?? FrameHead.Write(_output, opcode, payload));
            Owner?.OnLeaving();
            return FlushAsync(_output.FlushAsync(CancellationToken.None));
        }
        catch (InvalidOperationException closed)
        {
            EndTurn();
            return ValueTask.FromException(Gone(closed));
        }
    }

    // No token: its time-outs cut the connection.
    private async ValueTask SendControlAsync(Opcode opcode, ReadOnlyMemory<byte> payload)
    {
        await TurnAsync();
        // One close frame; and a ping is answered even after it, until the client's close frame has come (RFC 6455, 5.5.2).
        if (_isAborted || (_isCloseSent && opcode != Opcode.Pong))
        {
            EndTurn();
            return;
        }
        if (opcode == Opcode.Close)
            _isCloseSent = true;
        ValueTask flush;
        try
        {
            Count(FrameHead.Write(_output, opcode, payload.Span));
            flush = FlushAsync(_output.FlushAsync(CancellationToken.None));
        }
        catch (InvalidOperationException closed)
        {
            EndTurn();
            throw Gone(closed);
        }
        await flush;
    }

    private Task TurnAsync()
    {
        lock (this)
        {
            if (!_isTaken)
            {
                _isTaken = true;
                return Task.CompletedTask;
            }
            var turn = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            (_waiting ??= []).Enqueue(turn);
            return turn.Task;
        }
    }

    private void EndTurn()
    {
        lock (this)
        {
            if (_waiting is null || !_waiting.TryDequeue(out var next))
                _isTaken = false;
            else
                next.SetResult();
        }
    }

    private void Count(int written) => Volatile.Write(ref _bytesOut, _bytesOut + written);

    // Ends the turn.
    private ValueTask FlushAsync(ValueTask<FlushResult> flush)
    {
        if (!flush.IsCompletedSuccessfully)
            return FlushedAsync(flush);
        EndTurn();
        return flush.Result is { IsCompleted: false, IsCanceled: false } ? ValueTask.CompletedTask : ValueTask.FromException(Gone());
    }

    private async ValueTask FlushedAsync(ValueTask<FlushResult> flush)
    {
        FlushResult result;
        try
        {
            result = await flush;
        }
        finally
        {
            EndTurn();
        }
        if (result.IsCompleted || result.IsCanceled)
            throw Gone();
    }

    // The writer of TLS throws when the connection is over.
    private static IOException Gone(Exception? because = null) => new("The connection is gone.", because);
}
