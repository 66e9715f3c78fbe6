using System.Diagnostics;
using System.Net.WebSockets;
using PubSubOverWs.LoadTest.Harness.Machine;

namespace PubSubOverWs.LoadTest.Experiments.Interference.Load;

/// <summary>
/// One WebSocket on a stream of an HTTP/2 connection. The socket is the framework's there, and it mixes the frames of all streams: a reply
/// passes a large message that goes over another stream.
/// </summary>
public sealed class Http2Session(StreamSettings settings, WebSocket socket) : IDisposable
{
    private const int BufferBytes = 64 << 10;

    private readonly SemaphoreSlim _writing = new(1);
    private readonly SemaphoreSlim _due = new(0);

    /// <summary>Serves until the client leaves.</summary>
    public async Task RunAsync(CancellationToken stopping)
    {
        using var left = CancellationTokenSource.CreateLinkedTokenSource(stopping);
        var pacing = Task.Factory.StartNew(
            () => Pace(left.Token), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        var streaming = StreamAsync(left.Token);
        try
        {
            await EchoAsync(stopping);
            await left.CancelAsync();
            await streaming;
            await socket.CloseOutputAsync(WebSocketCloseStatus.NormalClosure, null, stopping);
        }
        catch (Exception error) when (error is WebSocketException or OperationCanceledException)
        {
            // The client is gone, or the server stops.
        }

        await left.CancelAsync();
        await Task.WhenAll(pacing, streaming);
    }

    public void Dispose()
    {
        _writing.Dispose();
        _due.Dispose();
    }

    private async Task EchoAsync(CancellationToken stopping)
    {
        var buffer = new byte[BufferBytes];
        while (await socket.ReceiveAsync(buffer.AsMemory(), stopping) is { MessageType: not WebSocketMessageType.Close } part)
            await WriteAsync(buffer.AsMemory(0, part.Count), part.EndOfMessage, stopping);
    }

    private async Task StreamAsync(CancellationToken left)
    {
        var message = settings.Message();
        try
        {
            while (!settings.Dummies.IsIdle)
            {
                await _due.WaitAsync(left);
                // Not cancelled while it is being written: that would end the connection before its close.
                await WriteAsync(message, endOfMessage: true, CancellationToken.None);
            }
        }
        catch (Exception error) when (error is WebSocketException or OperationCanceledException)
        {
            // The client has left.
        }
    }

    private async Task WriteAsync(ReadOnlyMemory<byte> payload, bool endOfMessage, CancellationToken cancellationToken)
    {
        await _writing.WaitAsync(cancellationToken);
        try
        {
            await socket.SendAsync(payload, WebSocketMessageType.Text, endOfMessage, cancellationToken);
        }
        finally
        {
            _writing.Release();
        }
    }

    // A thread of its own: timers are too coarse.
    private void Pace(CancellationToken left)
    {
        var start = Stopwatch.GetTimestamp();
        var wait = new ExactWait(TimeSpan.Zero);
        for (var next = 1L; !settings.Dummies.IsIdle && !left.IsCancellationRequested; next++)
        {
            wait.Until(start + (long)(next * (double)settings.Dummies.PeriodUs * Stopwatch.Frequency / 1_000_000), left);
            _due.Release();
        }
    }
}
