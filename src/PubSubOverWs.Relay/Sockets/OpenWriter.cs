using System.IO.Pipelines;

namespace PubSubOverWs.Relay;

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
