using System.IO.Pipelines;
using System.Net;
using System.Threading.Channels;
using Microsoft.AspNetCore.Connections;

namespace PubSubOverWs.Tests.Fuzz.Framing;

/// <summary>Gives Kestrel connections in memory, in place of sockets: a million of them need no port.</summary>
internal sealed class MemoryListener : IConnectionListenerFactory, IConnectionListener
{
    private readonly Channel<ConnectionContext> _connections = Channel.CreateUnbounded<ConnectionContext>();

    public EndPoint EndPoint { get; private set; } = new IPEndPoint(IPAddress.Loopback, 80);

    /// <summary>A client that has sent nothing yet.</summary>
    /// <inheritdoc cref="MemoryConnection.Create"/>
    public MemoryConnection Connect(PipeScheduler? reading = null, bool waits = false, bool lingers = false)
    {
        var connection = MemoryConnection.Create(reading, waits, lingers);
        Assert.True(_connections.Writer.TryWrite(connection));
        return connection;
    }

    public ValueTask<IConnectionListener> BindAsync(EndPoint endpoint, CancellationToken cancellationToken = default)
    {
        EndPoint = endpoint;
        return new(this);
    }

    public async ValueTask<ConnectionContext?> AcceptAsync(CancellationToken cancellationToken = default) =>
        await _connections.Reader.WaitToReadAsync(cancellationToken) && _connections.Reader.TryRead(out var connection) ? connection : null;

    public ValueTask UnbindAsync(CancellationToken cancellationToken = default)
    {
        _connections.Writer.TryComplete();
        return ValueTask.CompletedTask;
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
