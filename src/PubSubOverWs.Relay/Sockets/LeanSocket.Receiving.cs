using System.Buffers;
using System.Buffers.Binary;
using System.IO.Pipelines;
using System.Net.WebSockets;
using System.Runtime.CompilerServices;
using System.Text;

namespace PubSubOverWs.Relay;

/// <content>
/// What comes. Payload is unmasked straight into the receiver's buffer, as far as it has come; a length that a frame announces reserves
/// nothing.
/// </content>
internal sealed partial class LeanSocket
{
    private const int MuchControl = 4096;

    // A turn on the thread of the socket: so many bytes, or so many reads.
    private const int MaxInTurn = 64 * 1024, MinOfRead = 1024;

    // Read from the pipe and not yet consumed; the pipe's memory is held only while there is something.
    private ReadOnlySequence<byte> _unread;
    private bool _isReading;
    private int _untaken;
    private long _inTurn;
    private long _reads;

    // The frame of data whose payload is being received, and its message.
    private FrameHead _frame;
    private long _left;
    private uint _mask;
    private bool _isInFrame;
    private bool _isInMessage;
    private WebSocketMessageType _kind;
    private TextCheck _text;

    private byte[]? _pinged;

    public bool HasBuffered => !_unread.IsEmpty;

    public long Reads => Volatile.Read(ref _reads);

    public int TakeRead()
    {
        var read = _untaken;
        _untaken = 0;
        return read;
    }

    /// <param name="buffer">Empty: completes when there is something to receive, or an empty message is over.</param>
    /// <param name="cancellationToken">Is not looked at: a cancelled receive would be the end of the connection.</param>
    /// <exception cref="WebSocketException">The client broke a rule of the framing, or is gone.</exception>
    public override ValueTask<ValueWebSocketReceiveResult> ReceiveAsync(Memory<byte> buffer, CancellationToken cancellationToken)
    {
        var step = Next(buffer.Span, out var received);
        return step == Step.Data ? new(received) : ReceiveAsync(buffer, step);
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<ValueWebSocketReceiveResult> ReceiveAsync(Memory<byte> buffer, Step step)
    {
        while (true)
        {
            ValueWebSocketReceiveResult received = default;
            switch (step)
            {
                case Step.More:
                    var before = _unread.Length;
                    OnRead(await ReadAsync(), before);
                    if (IsTurnOver(_unread.Length - before))
                        await Task.Yield();
                    break;
                case Step.Close:
                    return new(0, WebSocketMessageType.Close, endOfMessage: true);
                default:
                    await ActAsync(step);
                    break;
            }
            step = Next(buffer.Span, out received);
            if (step == Step.Data)
                return received;
        }
    }

    // What is rare: apart, so that a receive that waits has no room for it.
    private async ValueTask ActAsync(Step step)
    {
        switch (step)
        {
            case Step.Ping:
                await SendControlAsync(Opcode.Pong, _pinged);
                _pinged = null;
                await ControlTrafficAsync();
                break;
            case Step.Pong:
                await ControlTrafficAsync();
                break;
            default:
                var isText = step == Step.BadText;
                await CloseOutputAsync(
                    isText ? WebSocketCloseStatus.InvalidPayloadData : WebSocketCloseStatus.ProtocolError, "", CancellationToken.None);
                throw new WebSocketException(WebSocketError.Faulted);
        }
    }

    /// <summary>Takes the next step that the bytes which have come allow.</summary>
    private Step Next(Span<byte> buffer, out ValueWebSocketReceiveResult received)
    {
        received = default;
        if (_isInFrame)
            return Receive(buffer, out received);
        if (_isCloseReceived)
            return Step.Close;
        Span<byte> copy = stackalloc byte[FrameHead.MaxBytes];
        var size = FrameHead.Read(Beginning(copy), out var head);
        if (size <= 0)
            return size == 0 ? Step.More : Step.Violation;
        if (head.IsControl)
            return Control(head, size);
        // A message begins with its kind, and goes on without (RFC 6455, 5.4).
        if (_isInMessage != (head.Opcode == Opcode.Continuation))
            return Step.Violation;
        if (!_isInMessage)
        {
            _kind = head.Opcode == Opcode.Text ? WebSocketMessageType.Text : WebSocketMessageType.Binary;
            _text = default;
        }
        Consume(size);
        _frame = head;
        _left = head.Length;
        _mask = head.Mask;
        _isInFrame = _isInMessage = true;
        return Receive(buffer, out received);
    }

    private Step Receive(Span<byte> buffer, out ValueWebSocketReceiveResult received)
    {
        received = default;
        if (_left > 0 && _unread.IsEmpty)
            return Step.More;
        var count = (int)Math.Min(Math.Min(_left, _unread.Length), buffer.Length);
        if (count > 0)
        {
            Unmask(buffer[..count]);
            Consume(count);
            _left -= count;
            if (_kind == WebSocketMessageType.Text && !_text.Take(buffer[..count]))
                return Step.BadText;
        }
        var isOver = _left == 0 && _frame.IsFinal;
        if (_left == 0)
        {
            _isInFrame = false;
            _isInMessage = !_frame.IsFinal;
        }
        if (isOver && _kind == WebSocketMessageType.Text && !_text.IsWhole)
            return Step.BadText;
        received = new(count, _kind, isOver);
        return Step.Data;
    }

    // Waits until it is there as a whole: it is short.
    private Step Control(in FrameHead head, int size)
    {
        var length = (int)head.Length;
        if (_unread.Length < size + length)
            return Step.More;
        Consume(size, keeps: true);
        var payload = length == 0 ? [] : new byte[length];
        _mask = head.Mask;
        Unmask(payload);
        Consume(length);
        switch (head.Opcode)
        {
            case Opcode.Ping:
                _pinged = payload;
                return Step.Ping;
            case Opcode.Pong:
                return Step.Pong;
            default:
                return Close(payload);
        }
    }

    private Step Close(ReadOnlySpan<byte> body)
    {
        if (body.Length == 1)
            return Step.Violation;
        if (body.Length >= StatusBytes)
        {
            var status = BinaryPrimitives.ReadUInt16BigEndian(body);
            if (!IsStatus(status))
                return Step.Violation;
            if (!System.Text.Unicode.Utf8.IsValid(body[StatusBytes..]))
                return Step.BadText;
            _closeStatus = (WebSocketCloseStatus)status;
            _closeReason = Encoding.UTF8.GetString(body[StatusBytes..]);
        }
        _closeStatus ??= WebSocketCloseStatus.Empty;
        _isCloseReceived = true;
        return Step.Close;
    }

    // RFC 6455, 7.4, and IANA's registry of 1012 to 1014: 1004 to 1006 and 1015 are never sent.
    private static bool IsStatus(int status) => status is (>= 1000 and <= 1003) or (>= 1007 and <= 1014) or (>= 3000 and <= 4999);

    private ReadOnlySpan<byte> Beginning(Span<byte> copy)
    {
        var first = _unread.FirstSpan;
        if (first.Length >= FrameHead.MaxBytes || first.Length == _unread.Length)
            return first;
        var beginning = _unread.Slice(0, Math.Min(FrameHead.MaxBytes, _unread.Length));
        beginning.CopyTo(copy);
        return copy[..(int)beginning.Length];
    }

    private void Unmask(Span<byte> to)
    {
        if (_unread.FirstSpan.Length >= to.Length)
        {
            Masking.Copy(_unread.FirstSpan[..to.Length], to, _mask);
            _mask = Masking.After(_mask, to.Length);
            return;
        }
        foreach (var piece in _unread.Slice(0, to.Length))
        {
            Masking.Copy(piece.Span, to, _mask);
            _mask = Masking.After(_mask, piece.Length);
            to = to[piece.Length..];
        }
    }

    // Gives the pipe its memory back when there is nothing left in it.
    private void Consume(int count, bool keeps = false)
    {
        _untaken += count;
        _unread = _unread.Slice(count);
        if (!_unread.IsEmpty || keeps || !_isReading)
            return;
        _isReading = false;
        _input.AdvanceTo(_unread.End);
        _unread = default;
    }

    // The pipe keeps what is not consumed; its memory is no longer ours.
    private ValueTask<ReadResult> ReadAsync()
    {
        if (_isReading)
            _input.AdvanceTo(_unread.Start, _unread.End);
        _unread = default;
        _isReading = false;
        return _input.ReadAsync(CancellationToken.None);
    }

    private void OnRead(in ReadResult read, long before)
    {
        _unread = read.Buffer;
        _isReading = true;
        Volatile.Write(ref _reads, _reads + 1);
        if (_unread.Length == before && (read.IsCompleted || read.IsCanceled))
            throw new WebSocketException(WebSocketError.ConnectionClosedPrematurely);
    }

    // The transport reads on when its reader returns to it: a client that sends without a pause would keep the thread, and all connections
    // of that wait.
    private bool IsTurnOver(long read)
    {
        _inTurn += Math.Max(MinOfRead, read);
        if (_inTurn < MaxInTurn)
            return false;
        _inTurn = 0;
        return true;
    }

    // The session does not see control frames, and bounds what it does not see.
    private ValueTask ControlTrafficAsync() =>
        _untaken > MuchControl && Owner is { } owner ? owner.OnControlTrafficAsync(TakeRead()) : ValueTask.CompletedTask;

    private enum Step
    {
        More,
        Data,
        Ping,
        Pong,
        Close,
        BadText,
        Violation,
    }
}
