using System.Buffers;
using PubSubOverWs.LoadTest.Harness.Clients;

namespace PubSubOverWs.LoadTest.Experiments.RequestReply.Load;

/// <summary>
/// Frames that wait to be written to a connection. What has gathered is written as one piece, and nobody waits for it: the thread that
/// reads may also read for 10,000 others.
/// </summary>
public sealed class PendingWrites(StompConnection connection)
{
    private const int FirstBytes = 16 * 1024;

    private readonly Lock _gate = new();
    private ArrayBufferWriter<byte> _gathered = new(FirstBytes);
    private ArrayBufferWriter<byte> _written = new(FirstBytes);
    private bool _isWriting;
    private bool _isLost;

    /// <summary>Completes when what is being written is written, or cannot be.</summary>
    public Task Written { get; private set; } = Task.CompletedTask;

    /// <summary>Only gathers: <see cref="Flush"/> writes.</summary>
    public void Add(ReadOnlySpan<byte> frame)
    {
        lock (_gate)
        {
            if (!_isLost)
                _gathered.Write(frame);
        }
    }

    /// <summary>Writes what has gathered, unless a write is under way, which then goes on with it. One caller at a time.</summary>
    public void Flush()
    {
        lock (_gate)
        {
            if (_isWriting || _gathered.WrittenCount == 0)
                return;
            _isWriting = true;
        }

        Written = WriteAsync();
    }

    private async Task WriteAsync()
    {
        while (Next() is { Length: > 0 } frames)
        {
            if (await connection.SendAsync(frames))
                continue;
            lock (_gate)
                (_isLost, _isWriting) = (true, false);
            return;
        }
    }

    private ReadOnlyMemory<byte> Next()
    {
        lock (_gate)
        {
            _written.ResetWrittenCount();
            (_gathered, _written) = (_written, _gathered);
            _isWriting = _written.WrittenCount > 0;
            return _written.WrittenMemory;
        }
    }
}
