using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// One server of several: it reads a queue of its own, which others send to and the topic feeds, the queue that all share, and those that dead nodes left
/// behind (<see cref="Adoption"/>). It tells the others which destinations have a subscriber here (<see cref="Announcer"/>) and hears what they
/// tell (<see cref="Listener"/>).
/// </summary>
internal sealed class NodeFlow : IFlow
{
    private readonly WatchedSqs _sqs;
    private readonly WatchedSns _sns;
    private readonly SqsBrokerOptions _options;
    private readonly Subscriptions _subscriptions;
    private readonly RelayMeter _relayMeter;
    private readonly TimeProvider _time;
    private readonly ILogger _log;
    private readonly NodePeers _peers;
    private readonly Announcer _announcer;
    private readonly Listener _listener;
    private readonly Adoption _adoption;
    private readonly QueueFlow _own;
    private readonly QueueFlow _shared;
    private readonly QueueMeter _meter = new();
    private readonly Quiet _quiet;

    public NodeFlow(
        ISqs sqs, ISns sns, NodeQueues queues, SqsBrokerOptions options, Subscriptions subscriptions, RelayMeter relayMeter, TimeProvider time, ILogger log)
    {
        Health = new QueueHealth(time, log);
        _sqs = new WatchedSqs(sqs, Health);
        _sns = new WatchedSns(sns, Health);
        _options = options;
        _subscriptions = subscriptions;
        _relayMeter = relayMeter;
        _time = time;
        _log = log;
        Urls = queues.Shared with { Name = queues.Own.Name, Url = queues.Own.Url };
        var table = new PeerTable(time, options.Nodes.DeadAfter);
        _announcer = new Announcer(queues, subscriptions, said => TellAsync(queues, said), () => SubscribeAsync(queues), options.Nodes, time);
        _peers = new NodePeers(_sqs, _sns, queues, options.Sending, subscriptions, table, _announcer, WantedElsewhere, log);
        _listener = new Listener(_sqs, queues.Control, _peers.Hear, options.WaitTime, time, log);
        _quiet = new Quiet(_peers);
        _own = Read(Urls, subscriptions.Deliver);
        _shared = Read(queues.Shared, subscriptions.Deliver);
        _adoption = new Adoption(_sqs, _sns, queues, table, Health, options.Nodes, ReadAdopted, time, log);
        Publisher = new Publisher(_peers, options.PublishTimeout, _meter, new PatientCalls(time, _quiet.Token), time);
    }

    public QueueUrls Urls { get; }

    public Publisher Publisher { get; }

    public QueueHealth Health { get; }

    public QueueStats Stats =>
        _meter.Read(Urls, [_sqs.Traffic], [_own.Leases, _shared.Leases, .. _adoption.Flows.Select(flow => flow.Leases)], _peers.Nodes);

    public void RoomAt(string destination)
    {
        _announcer.Gained(destination);
        OfferAgain(destination);
    }

    public async Task AskAsync(CancellationToken cancellationToken) => await _sqs.GetQueueAttributesAsync(Urls.Url, cancellationToken);

    public async Task RunAsync(CancellationToken stopping, CancellationToken connectionsClosed)
    {
        using var ending = CancellationTokenSource.CreateLinkedTokenSource(stopping);
        var quiet = _quiet.AfterAsync(connectionsClosed);
        Task[] parts =
        [
            _own.RunAsync(quiet, ending.Token), _shared.RunAsync(quiet, ending.Token), _adoption.RunAsync(quiet, ending.Token),
            _announcer.RunAsync(ending.Token), _listener.RunAsync(ending.Token),
        ];
        try
        {
            // The first to end has failed, or all are to end.
            await await Task.WhenAny(parts);
        }
        finally
        {
            await ending.CancelAsync();
        }
        await Task.WhenAll(parts);
    }

    public void Dispose()
    {
        _own.Dispose();
        _shared.Dispose();
        _quiet.Dispose();
    }

    private QueueFlow Read(QueueUrls urls, Func<Delivery, DeliverOutcome> deliver) =>
        new(_sqs, urls, _options, deliver, _peers, _meter, _relayMeter, _time, _log);

    // What is for a topic in there is the copy of a node that may live after all: it waits until that is sure. This node has a copy of its own.
    private QueueFlow ReadAdopted(QueueUrls urls, bool isSurelyDead) => Read(urls, delivery =>
        !DestinationName.IsTopic(delivery.Message.Destination) ? _subscriptions.Deliver(delivery)
        : isSurelyDead ? DeliverOutcome.NoSubscriber
        : DeliverOutcome.NoRoom);

    private Task TellAsync(NodeQueues queues, byte[] announcement) =>
        TryAsync(async () => await _sns.PublishBatchAsync(queues.Control.TopicArn, [announcement], CancellationToken.None));

    private Task SubscribeAsync(NodeQueues queues) => TryAsync(async () =>
    {
        await _sns.SubscribeQueueAsync(queues.Own.TopicArn, queues.Own.Arn, CancellationToken.None);
        await _sns.SubscribeQueueAsync(queues.Control.TopicArn, queues.Control.Arn, CancellationToken.None);
    });

    // Its health was told; what failed is made again with the next announcement.
    private static async Task TryAsync(Func<Task> call)
    {
        try
        {
            await call();
        }
        catch (SqsException)
        {
        }
    }

    // What is held here for want of a subscriber can go where one is.
    private void WantedElsewhere(IReadOnlyList<string> destinations)
    {
        foreach (var destination in destinations)
            OfferAgain(destination);
    }

    private void OfferAgain(string destination)
    {
        _own.RoomAt(destination);
        _shared.RoomAt(destination);
        foreach (var flow in _adoption.Flows)
            flow.RoomAt(destination);
    }
}
