using System.Net.WebSockets;
using Microsoft.Extensions.ObjectPool;

namespace PubSubOverWs.Relay;

/// <summary>Encoded frames that leave in one flush; pooled, for a connection needs one only while it writes.</summary>
internal sealed class FrameBatch
{
    /// <summary>
    /// Encoding stops here, so that a long outbox is written in pieces: one flush then fits Kestrel's 64 KiB output buffer.
    /// </summary>
    public const int EnoughBytes = 32 * 1024;

    private static readonly ObjectPool<FrameBatch> Pool = ObjectPool.Create<FrameBatch>();

    private readonly List<(int Length, WebSocketMessageType Type)> _frames = [];
    private int _closed;

    public PooledBuffer Buffer { get; } = new();
    public bool IsFull => Buffer.Count >= EnoughBytes;
    public int PayloadBytes { get; private set; }
    public int Messages { get; private set; }

    public static FrameBatch Rent() => Pool.Get();

    public void Return()
    {
        Clear();
        Pool.Return(this);
    }

    public void Clear()
    {
        Buffer.Release();
        _frames.Clear();
        _closed = PayloadBytes = Messages = 0;
    }

    /// <summary>Ends a frame that was written to <see cref="Buffer"/> since the last call.</summary>
    public void CloseFrame(WebSocketMessageType type)
    {
        _frames.Add((Buffer.Count - _closed, type));
        _closed = Buffer.Count;
    }

    /// <summary>Ends a frame that carries a message.</summary>
    public void CloseMessage(WebSocketMessageType type, int payloadBytes)
    {
        CloseFrame(type);
        PayloadBytes += payloadBytes;
        Messages++;
    }

    /// <summary>Sends all frames, the stream corked until the last one.</summary>
    public async ValueTask WriteAsync(WebSocket socket, CorkedStream stream)
    {
        var start = 0;
        for (var i = 0; i < _frames.Count; i++)
        {
            var (length, type) = _frames[i];
            stream.Corked = i < _frames.Count - 1;
            // No token: a cancelled send aborts the whole socket, and only the close time-out may do that.
            await socket.SendAsync(Buffer.Memory.Slice(start, length), type, endOfMessage: true, CancellationToken.None);
            start += length;
        }
    }
}
