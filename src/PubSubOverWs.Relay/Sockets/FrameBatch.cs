using System.Buffers;
using System.Net.WebSockets;
using Microsoft.Extensions.ObjectPool;

namespace PubSubOverWs.Relay;

/// <summary>A server's frames that leave in one write; pooled, because a connection needs them only while it writes.</summary>
internal sealed class FrameBatch
{
    // Encoding stops here, so that a long outbox is written in pieces: one flush then fits Kestrel's 64 KiB output buffer.
    public const int EnoughBytes = 32 * 1024;

    /// <summary>A PING without a payload, in an outbox; known by its reference.</summary>
    public static readonly byte[] Ping = [0x89, 0];

    public static readonly ObjectPool<FrameBatch> Pool = ObjectPool.Create<FrameBatch>();

    private readonly PooledBuffer _framed = new();
    private readonly List<(int End, WebSocketMessageType? Type)> _frames = [];

    /// <summary>The payloads of all frames, one after the other.</summary>
    public PooledBuffer Payloads { get; } = new();

    public int Count => _frames.Count;

    /// <summary>The kind of the only frame; null: there are more or none, or it is a PING.</summary>
    public WebSocketMessageType? OnlyMessage => _frames.Count == 1 ? _frames[0].Type : null;

    public bool IsFull => Payloads.Count >= EnoughBytes;

    /// <summary>Bytes of bodies in <see cref="Payloads"/>.</summary>
    public int BodyBytes { get; private set; }

    public int Messages { get; private set; }

    /// <summary>Ends a frame that was written to <see cref="Payloads"/> since the last call.</summary>
    /// <param name="type">Null: a PING, of which nothing was written.</param>
    /// <param name="body">Bytes of the body of a message; null: it is none.</param>
    public void Close(WebSocketMessageType? type, int? body = null)
    {
        _frames.Add((Payloads.Count, type));
        BodyBytes += body ?? 0;
        Messages += body is null ? 0 : 1;
    }

    /// <summary>The frames as they are on the wire, until <see cref="Clear"/>.</summary>
    public ReadOnlyMemory<byte> ToWire()
    {
        // Room for all, so that nothing is copied again.
        _framed.GetSpan(Payloads.Count + (_frames.Count * FrameHead.MaxWritten));
        WriteTo(_framed);
        return _framed.Memory;
    }

    /// <summary>Writes the frames as they are on the wire.</summary>
    /// <returns>How many bytes.</returns>
    public int WriteTo(IBufferWriter<byte> output)
    {
        var start = 0;
        var written = 0;
        foreach (var (end, type) in _frames)
        {
            var opcode = type switch { null => Opcode.Ping, WebSocketMessageType.Text => Opcode.Text, _ => Opcode.Binary };
            written += FrameHead.Write(output, opcode, Payloads.Span[start..end]);
            start = end;
        }
        return written;
    }

    public void Clear()
    {
        Payloads.Release();
        _framed.Release();
        _frames.Clear();
        BodyBytes = Messages = 0;
    }
}
