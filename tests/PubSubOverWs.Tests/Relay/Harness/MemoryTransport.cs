using System.IO.Pipelines;

namespace PubSubOverWs.Tests.Relay;

/// <summary>
/// One end of a connection in memory, in place of a socket. It records what passes, can stop taking writes, as a socket does whose peer
/// does not read, and can break.
/// </summary>
internal sealed class MemoryTransport : Stream
{
    private readonly Lock _gate = new();
    private readonly PipeReader _input;
    private readonly PipeWriter _output;
    private readonly List<int> _writes = [];
    private TaskCompletionSource? _stalled;
    private TaskCompletionSource _writeWaits = NewSignal();
    private volatile bool _isBroken;
    private volatile int _pendingRead = -1;
    private long _bytesRead;

    private MemoryTransport? _peer;

    private MemoryTransport(PipeReader input, PipeWriter output) => (_input, _output) = (input, output);

    public static (MemoryTransport Server, MemoryTransport Client) CreatePair()
    {
        // Continuations go to the thread pool, and a writer is never kept waiting.
        var options = new PipeOptions(pauseWriterThreshold: 0, useSynchronizationContext: false);
        var (up, down) = (new Pipe(options), new Pipe(options));
        var (server, client) = (new MemoryTransport(up.Reader, down.Writer), new MemoryTransport(down.Reader, up.Writer));
        (server._peer, client._peer) = (client, server);
        return (server, client);
    }

    /// <summary>The other end.</summary>
    public MemoryTransport Peer => _peer!;

    /// <summary>The size of each write, in order.</summary>
    public int[] Writes
    {
        get
        {
            lock (_gate)
                return [.. _writes];
        }
    }

    public long BytesWritten => Writes.Sum(size => (long)size);

    public long BytesRead => Interlocked.Read(ref _bytesRead);

    /// <summary>How large the buffer is that waits for bytes; -1: none waits.</summary>
    public int PendingRead => _pendingRead;

    /// <summary>Completes when a write waits.</summary>
    public Task WriteWaits
    {
        get
        {
            lock (_gate)
                return _writeWaits.Task;
        }
    }

    public override bool CanRead => true;
    public override bool CanWrite => true;
    public override bool CanSeek => false;
    public override long Length => throw new NotSupportedException();
    public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

    /// <summary>From now on a write waits, as if the peer did not read.</summary>
    public void Stall()
    {
        lock (_gate)
        {
            _stalled ??= NewSignal();
            _writeWaits = NewSignal();
        }
    }

    public void Resume()
    {
        TaskCompletionSource? stalled;
        lock (_gate)
            (stalled, _stalled) = (_stalled, null);
        stalled?.SetResult();
    }

    /// <summary>From now on a write fails, those that wait included; reads go on waiting.</summary>
    public void Break()
    {
        _isBroken = true;
        Resume();
    }

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        _pendingRead = buffer.Length;
        var result = await _input.ReadAsync(cancellationToken);
        _pendingRead = -1;
        if (result.IsCanceled)
            throw new IOException("The connection was cut here.");
        var count = (int)Math.Min(buffer.Length, result.Buffer.Length);
        var taken = result.Buffer.Slice(0, count);
        foreach (var segment in taken)
        {
            segment.CopyTo(buffer);
            buffer = buffer[segment.Length..];
        }
        _input.AdvanceTo(taken.End);
        Interlocked.Add(ref _bytesRead, count);
        return count;
    }

    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (Enter(buffer.Length) is { } stalled)
            await stalled;
        if (_isBroken)
            throw new IOException("The connection is broken.");
        await _output.WriteAsync(buffer, cancellationToken);
    }

    public override Task FlushAsync(CancellationToken cancellationToken) => Task.CompletedTask;
    public override void Flush() => throw new NotSupportedException();
    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();
    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();
    public override void SetLength(long value) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        Break();
        _input.CancelPendingRead();
        _output.Complete();
        base.Dispose(disposing);
    }

    private Task? Enter(int size)
    {
        lock (_gate)
        {
            _writes.Add(size);
            if (_stalled is not null)
                _writeWaits.TrySetResult();
            return _stalled?.Task;
        }
    }

    private static TaskCompletionSource NewSignal() => new(TaskCreationOptions.RunContinuationsAsynchronously);
}
