using System.Net.WebSockets;
using Microsoft.Extensions.ObjectPool;

namespace PubSubOverWs.Relay;

/// <summary>Encoded frames that leave in one flush; pooled, because a connection needs one only while it writes.</summary>
internal sealed class FrameBatch
{
    // Encoding stops here, so that a long outbox is written in pieces: one flush then fits Kestrel's 64 KiB output buffer.
    public const int EnoughBytes = 32 * 1024;

    public static readonly ObjectPool<FrameBatch> Pool = ObjectPool.Create<FrameBatch>();

    private readonly FrameList _frames = new();

    public PooledBuffer Buffer => _frames.Payloads;
    public bool IsFull => Buffer.Count >= EnoughBytes;
    public int PayloadBytes { get; private set; }
    public int Messages { get; private set; }

    public void Clear()
    {
        _frames.Clear();
        PayloadBytes = Messages = 0;
    }

    /// <summary>Ends a frame that was written to <see cref="Buffer"/> since the last call; with a payload it is a message.</summary>
    /// <param name="type">Null: a PING, of which nothing was written.</param>
    public void CloseFrame(WebSocketMessageType? type, int? payload = null)
    {
        _frames.Close(type);
        (PayloadBytes, Messages) = (PayloadBytes + (payload ?? 0), Messages + (payload is null ? 0 : 1));
    }

    /// <summary>Sends all frames in one write.</summary>
    public ValueTask WriteAsync(WebSocket socket, IWire wire)
    {
        if (_frames.Count == 0)
            return ValueTask.CompletedTask;
        var only = _frames.OnlyMessage;
        wire.Instead = only is null ? _frames : null;
        // No token: a cancelled send aborts the whole socket, and only the close time-out may do that.
        return socket.SendAsync(
            only is null ? default : Buffer.Memory, only ?? WebSocketMessageType.Binary, endOfMessage: true, CancellationToken.None);
    }
}
