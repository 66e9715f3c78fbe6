using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>One server and one queue: what is published goes in, and what comes out is delivered.</summary>
internal sealed class SqsFlow : IFlow
{
    private readonly QueueHealth _health;
    private readonly WatchedSqs _sqs;
    private readonly NoPeers _peers;
    private readonly QueueFlow _queue;
    private readonly QueueFlow _parked;
    private readonly QueueMemory _memory;
    private readonly QueueMeter _meter = new();
    private readonly Quiet _quiet;

    public SqsFlow(
        ISqs sqs, QueueUrls urls, SqsBrokerOptions options, Func<Delivery, DeliverOutcome> deliver, RelayMeter relayMeter,
        TimeProvider time,
        ILogger log)
    {
        _health = new QueueHealth(time, log);
        _sqs = new WatchedSqs(sqs, _health);
        Urls = urls;
        _peers = new NoPeers(new EnvelopeSender(EnvelopeTarget.Queue(_sqs, urls.Name, urls.Url), options.Sending, time));
        _quiet = new Quiet(_peers);
        _memory = QueueMemory.Of(options, time);
        _queue = new QueueFlow(_sqs, urls, _memory, options, deliver, _peers, _meter, relayMeter, time, log);
        _parked = new QueueFlow(_sqs, urls.Parked, _memory, options, deliver, _peers, _meter, relayMeter, time, log);
        Publisher = new Publisher(_peers, options.PublishTimeout, _meter, new PatientCalls(time, _quiet.Token), time);
    }

    public QueueUrls Urls { get; }

    public Publisher Publisher { get; }

    public IReadOnlyList<Leases> Leases => [_queue.Leases, _parked.Leases];

    public QueueStats Stats => _meter.Read(Urls, [_sqs.Traffic], Leases, _peers.Nodes);

    public void RoomAt(string destination)
    {
        var areHeld = _queue.RoomAt(destination) | _parked.RoomAt(destination);
        _memory.Parked.RoomAt(destination, isWanted: !areHeld);
    }

    public async Task<string?> AskAsync(CancellationToken cancellationToken)
    {
        await _sqs.GetQueueAttributesAsync(Urls.Url, cancellationToken);
        return _health.Trouble;
    }

    public Task RunAsync(CancellationToken stopping, CancellationToken connectionsClosed) =>
        _quiet.RunAsync([_queue.RunAsync, _parked.RunAsync], stopping, connectionsClosed);

    public void Dispose()
    {
        _queue.Dispose();
        _parked.Dispose();
        _quiet.Dispose();
    }
}
