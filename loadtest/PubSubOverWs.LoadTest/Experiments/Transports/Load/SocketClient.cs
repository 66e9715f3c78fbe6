using System.Diagnostics;
using System.Net.WebSockets;
using PubSubOverWs.LoadTest.Experiments.Transports.Load.Feed;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.Transports.Load;

/// <summary>A client to which the server sends each measurement as a WebSocket message.</summary>
/// <param name="channel">Its sensor.</param>
public sealed class SocketClient(FeedRoute route, MeasurementLog log, Countdown waiting, int channel) : FeedClient(route, log, waiting)
{
    private ClientWebSocket _socket = new();
    private readonly byte[] _buffer = new byte[2 * Measurement.Bytes];

    protected override Task OpenAsync(CancellationToken cancellationToken)
    {
        _socket.Dispose();
        _socket = new ClientWebSocket();
        _socket.Options.KeepAliveInterval = TimeSpan.Zero;
        (_socket.Options.HttpVersion, _socket.Options.HttpVersionPolicy) = (Version, HttpVersionPolicy.RequestVersionExact);
        var target = new UriBuilder(At(WithLast(Invariant($"{FeedServer.SocketPath}?channel={channel}")))) { Scheme = "ws" };
        return _socket.ConnectAsync(target.Uri, Http, cancellationToken);
    }

    protected override async Task ReceiveAsync(TimeProvider time, CancellationToken cancellationToken)
    {
        for (var kept = 0; ;)
        {
            var received = await _socket.ReceiveAsync(_buffer.AsMemory(kept), cancellationToken);
            if (received.MessageType == WebSocketMessageType.Close)
                return;
            kept += received.Count;
            if (!received.EndOfMessage && kept < _buffer.Length)
                continue;
            Take(_buffer.AsSpan(0, kept), Stopwatch.GetTimestamp());
            kept = 0;
        }
    }

    protected override void Close() => _socket.Dispose();
}
