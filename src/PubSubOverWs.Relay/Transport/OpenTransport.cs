using System.IO.Pipelines;
using System.Net;
using System.Runtime.CompilerServices;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Connections.Features;

namespace PubSubOverWs.Relay;

/// <summary>
/// The pipes of a connection of Kestrel's own transport for HTTP. That transport closes the socket, for both directions at once, when HTTP
/// is done with the pipes: they stay open, so that a <see cref="LingeringClose"/> comes first.
/// </summary>
internal sealed class OpenTransport(IDuplexPipe inner) : IDuplexPipe
{
    private readonly OpenWriter _output = new(inner.Output);

    public PipeReader Input { get; } = new OpenReader(inner.Input);

    public PipeWriter Output => _output;

    /// <summary>Where it is not TCP, or nothing tells when all was sent, the connection is closed by Kestrel alone.</summary>
    public static ConnectionDelegate Before(ConnectionDelegate next, LingeringClose closing) =>
        connection => Acknowledged.IsKnown && connection.RemoteEndPoint is IPEndPoint
            && connection.Features.Get<IConnectionSocketFeature>() is { } tcp
            ? RunAsync(connection, tcp, next, closing)
            : next(connection);

    private static async Task RunAsync(
        ConnectionContext connection, IConnectionSocketFeature tcp, ConnectionDelegate next, LingeringClose closing)
    {
        var open = new OpenTransport(connection.Transport);
        connection.Transport = open;
        await next(connection);
        await closing.RunAsync(connection, tcp.Socket, open.Input, open._output.Written);
    }
}

/// <summary>A pipe of a connection for a writer that completes it when it is done: the connection is closed by its owner.</summary>
internal class OpenWriter(PipeWriter inner) : PipeWriter
{
    /// <summary>Bytes, flushed or not.</summary>
    public long Written { get; private set; }

    public override bool CanGetUnflushedBytes => inner.CanGetUnflushedBytes;
    public override long UnflushedBytes => inner.UnflushedBytes;

    public override void Advance(int bytes)
    {
        Written += bytes;
        inner.Advance(bytes);
    }

    public override Memory<byte> GetMemory(int sizeHint = 0) => inner.GetMemory(sizeHint);
    public override Span<byte> GetSpan(int sizeHint = 0) => inner.GetSpan(sizeHint);
    public override ValueTask<FlushResult> FlushAsync(CancellationToken cancellationToken = default) => inner.FlushAsync(cancellationToken);
    public override void CancelPendingFlush() => inner.CancelPendingFlush();

    public override void Complete(Exception? exception = null)
    {
    }
}

/// <summary>Likewise for a reader: what the client still sends can be read.</summary>
internal class OpenReader(PipeReader inner) : PipeReader
{
    public override ValueTask<ReadResult> ReadAsync(CancellationToken cancellationToken = default) => inner.ReadAsync(cancellationToken);
    public override bool TryRead(out ReadResult result) => inner.TryRead(out result);
    public override void AdvanceTo(SequencePosition consumed) => inner.AdvanceTo(consumed);
    public override void AdvanceTo(SequencePosition consumed, SequencePosition examined) => inner.AdvanceTo(consumed, examined);
    public override void CancelPendingRead() => inner.CancelPendingRead();

    public override void Complete(Exception? exception = null)
    {
    }
}

/// <summary>
/// The pipes of a connection for a reader and writer that must not run on the thread of its socket, such as HTTP, which never lets others
/// have their turn: what waited for a pipe goes on on the thread pool.
/// </summary>
internal sealed class PooledTransport(IDuplexPipe inner) : IDuplexPipe
{
    public PipeReader Input { get; } = new Reader(inner.Input);

    public PipeWriter Output { get; } = new Writer(inner.Output);

    /// <summary>From its first step on.</summary>
    public static async Task RunAsync(ConnectionContext connection, ConnectionDelegate next)
    {
        connection.Transport = new PooledTransport(connection.Transport);
        await Task.Yield();
        await next(connection);
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private static async ValueTask<T> OnPoolAsync<T>(ValueTask<T> waiting)
    {
        try
        {
            return await waiting;
        }
        finally
        {
            await Task.Yield();
        }
    }

    private sealed class Reader(PipeReader inner) : OpenReader(inner)
    {
        public override ValueTask<ReadResult> ReadAsync(CancellationToken cancellationToken = default)
        {
            var read = base.ReadAsync(cancellationToken);
            return read.IsCompleted ? read : OnPoolAsync(read);
        }
    }

    private sealed class Writer(PipeWriter inner) : OpenWriter(inner)
    {
        public override ValueTask<FlushResult> FlushAsync(CancellationToken cancellationToken = default)
        {
            var flush = base.FlushAsync(cancellationToken);
            return flush.IsCompleted ? flush : OnPoolAsync(flush);
        }
    }
}
