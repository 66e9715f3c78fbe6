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

    private sealed class Reader(PipeReader inner) : PipeReader
    {
        public override ValueTask<ReadResult> ReadAsync(CancellationToken cancellationToken = default)
        {
            var read = inner.ReadAsync(cancellationToken);
            return read.IsCompleted ? read : OnPoolAsync(read);
        }

        public override bool TryRead(out ReadResult result) => inner.TryRead(out result);
        public override void AdvanceTo(SequencePosition consumed) => inner.AdvanceTo(consumed);
        public override void AdvanceTo(SequencePosition consumed, SequencePosition examined) => inner.AdvanceTo(consumed, examined);
        public override void CancelPendingRead() => inner.CancelPendingRead();
        public override void Complete(Exception? exception = null) => inner.Complete(exception);
        public override ValueTask CompleteAsync(Exception? exception = null) => inner.CompleteAsync(exception);
    }

    private sealed class Writer(PipeWriter inner) : PipeWriter
    {
        public override bool CanGetUnflushedBytes => inner.CanGetUnflushedBytes;
        public override long UnflushedBytes => inner.UnflushedBytes;

        public override ValueTask<FlushResult> FlushAsync(CancellationToken cancellationToken = default)
        {
            var flush = inner.FlushAsync(cancellationToken);
            return flush.IsCompleted ? flush : OnPoolAsync(flush);
        }

        public override void Advance(int bytes) => inner.Advance(bytes);
        public override Memory<byte> GetMemory(int sizeHint = 0) => inner.GetMemory(sizeHint);
        public override Span<byte> GetSpan(int sizeHint = 0) => inner.GetSpan(sizeHint);
        public override void CancelPendingFlush() => inner.CancelPendingFlush();
        public override void Complete(Exception? exception = null) => inner.Complete(exception);
        public override ValueTask CompleteAsync(Exception? exception = null) => inner.CompleteAsync(exception);
    }
}
