using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using Microsoft.AspNetCore.Connections;

namespace PubSubOverWs.Relay;

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
