using System.Diagnostics;
using PubSubOverWs.LoadTest.Experiments.Transports.Load.Feed;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.Transports.Load;

/// <summary>A client to which the server sends each measurement as a server-sent event, in a response that does not end.</summary>
/// <param name="channel">Its sensor.</param>
public sealed class EventsClient(FeedRoute route, MeasurementLog log, Countdown waiting, int channel) : FeedClient(route, log, waiting)
{
    private readonly byte[] _buffer = new byte[16 * ServerSentEvent.Bytes];
    private HttpResponseMessage? _response;
    private Stream _events = Stream.Null;

    protected override async Task OpenAsync(CancellationToken cancellationToken)
    {
        _response?.Dispose();
        using var request = Get(Invariant($"{FeedServer.EventsPath}?channel={channel}"));
        // The id of an event is the number of its measurement. Every browser names the last one when it comes back.
        if (Log.Latest is { } latest)
            request.Headers.Add(FeedServer.LastEventId, Invariant($"{latest}"));
        _response = await Http.SendAsync(request, cancellationToken);
        _response.EnsureSuccessStatusCode();
        _events = await _response.Content.ReadAsStreamAsync(cancellationToken);
    }

    protected override async Task ReceiveAsync(TimeProvider time, CancellationToken cancellationToken)
    {
        var kept = 0;
        while (await _events.ReadAsync(_buffer.AsMemory(kept), cancellationToken) is > 0 and var count)
        {
            var stamp = Stopwatch.GetTimestamp();
            var bytes = _buffer.AsSpan(0, kept + count);
            for (var end = bytes.IndexOf((byte)'\n'); end >= 0; end = bytes.IndexOf((byte)'\n'))
            {
                // An empty line ends an event, and has no measurement; neither have the lines of its id and of "retry".
                if (end > 0)
                    Take(ServerSentEvent.MeasurementOf(bytes[..end]), stamp);
                bytes = bytes[(end + 1)..];
            }
            bytes.CopyTo(_buffer);
            kept = bytes.Length;
        }
    }

    protected override void Close() => _response?.Dispose();
}
