using System.IO.Pipelines;
using Microsoft.AspNetCore.Connections;

namespace PubSubOverWs.Tests.Fuzz.Framing;

/// <summary>A connection whose two ends are in this process: Kestrel has the transport, the client what is behind it.</summary>
internal sealed class MemoryConnection : DefaultConnectionContext
{
    private readonly Pipe _up;
    private readonly Pipe _down;
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);

    private readonly TaskCompletionSource _left = new(TaskCreationOptions.RunContinuationsAsynchronously);

    private MemoryConnection(Pipe up, Pipe down, bool lingers)
        : base("memory", new Ends(up.Reader, down.Writer), new Ends(down.Reader, up.Writer))
    {
        (_up, _down) = (up, down);
        if (!lingers)
            _left.SetResult();
    }

    /// <param name="reading">Where readers go on when something has come; null: on the thread pool.</param>
    /// <param name="waits">A send completes when the server has looked at all of it.</param>
    /// <param name="lingers">It ends, as a socket does, when the client has taken all, or the server cuts it.</param>
    public static MemoryConnection Create(PipeScheduler? reading = null, bool waits = false, bool lingers = false)
    {
        return new(New(waits ? 1 : 0), New(0), lingers);

        Pipe New(int max) => new(new PipeOptions(
            readerScheduler: reading, pauseWriterThreshold: max, resumeWriterThreshold: max, useSynchronizationContext: false));
    }

    /// <summary>Completes when the server is done with it.</summary>
    public Task Ended => _ended.Task;

    /// <summary>Why the server cut it; null: it did not.</summary>
    public string? CutBecause { get; private set; }

    public async Task SendAsync(ReadOnlyMemory<byte> bytes) => await _up.Writer.WriteAsync(bytes);

    /// <summary>The client sends no more.</summary>
    public void Complete() => _up.Writer.Complete();

    /// <summary>Appends what the server sends next. False: it sends no more, for it has ended or cut the connection.</summary>
    public async Task<bool> ReceiveAsync(List<byte> received)
    {
        var read = await _down.Reader.ReadAsync();
        foreach (var segment in read.Buffer)
            received.AddRange(segment.Span);
        _down.Reader.AdvanceTo(read.Buffer.End);
        if (read.IsCompleted)
            _left.TrySetResult();
        return !read.IsCompleted && !read.IsCanceled;
    }

    // Not that of the base, which may come to its end after the connection has come to its own.
    // A cancelled read still has all that was sent before.
    public override void Abort(ConnectionAbortedException abortReason)
    {
        CutBecause = abortReason.Message;
        _down.Reader.CancelPendingRead();
        _left.TrySetResult();
    }

    public override async ValueTask DisposeAsync()
    {
        try
        {
            await _up.Reader.CompleteAsync();
            await _down.Writer.CompleteAsync();
            await _left.Task;
            await base.DisposeAsync();
        }
        finally
        {
            _ended.TrySetResult();
        }
    }

    private sealed record Ends(PipeReader Input, PipeWriter Output) : IDuplexPipe;
}
