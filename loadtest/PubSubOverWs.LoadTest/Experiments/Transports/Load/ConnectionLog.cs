using System.Diagnostics;

namespace PubSubOverWs.LoadTest.Experiments.Transports.Load;

/// <summary>The connections of one client, one after the other: when each was opened, and the bytes of all. Thread-safe.</summary>
public sealed class ConnectionLog
{
    private readonly List<long> _opened = [];
    private long _sent;
    private long _received;

    public long Sent => Interlocked.Read(ref _sent);

    public long Received => Interlocked.Read(ref _received);

    /// <summary>Stamps of <see cref="Stopwatch"/>.</summary>
    public IReadOnlyList<long> Opened
    {
        get
        {
            lock (_opened)
                return [.. _opened];
        }
    }

    /// <summary>A connection that counts its bytes.</summary>
    public async ValueTask<Stream> ConnectAsync(SocketsHttpConnectionContext context, CancellationToken cancellationToken)
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        try
        {
            await socket.ConnectAsync(context.DnsEndPoint, cancellationToken);
            lock (_opened)
                _opened.Add(Stopwatch.GetTimestamp());
            return new Counted(socket, this);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    private sealed class Counted(Socket socket, ConnectionLog log) : NetworkStream(socket, ownsSocket: true)
    {
        public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            var received = await base.ReadAsync(buffer, cancellationToken);
            Interlocked.Add(ref log._received, received);
            return received;
        }

        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            Interlocked.Add(ref log._sent, buffer.Length);
            return base.WriteAsync(buffer, cancellationToken);
        }
    }
}
