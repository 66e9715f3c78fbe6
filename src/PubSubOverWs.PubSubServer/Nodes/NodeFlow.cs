using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// One server of several: it reads a queue of its own, which others send to and the topic feeds, the queue that all share, and those that
/// dead nodes left behind (<see cref="Adoption"/>). It tells the others which destinations have a subscriber here
/// (<see cref="Announcer"/>), hears what they tell (<see cref="Listener"/>), and sees to it that the topic goes on feeding its queue
/// (<see cref="TopicFeed"/>).
/// </summary>
internal sealed class NodeFlow : IFlow
{
    private readonly QueueHealth _health;
    private readonly WatchedSqs _sqs;
    private readonly WatchedSns _sns;
    private readonly SqsBrokerOptions _options;
    private readonly Subscriptions _subscriptions;
    private readonly RelayMeter _relayMeter;
    private readonly TimeProvider _time;
    private readonly ILogger _log;
    private readonly string _deaf;
    private readonly NodePeers _peers;
    private readonly Announcer _announcer;
    private readonly Listener _listener;
    private readonly TopicFeed _feed;
    private readonly Adoption _adoption;
    private readonly QueueFlow _own;
    private readonly QueueFlow _shared;
    private readonly QueueFlow _parked;
    private readonly QueueMemory _memory;
    private readonly QueueMeter _meter = new();
    private readonly Quiet _quiet;

    public NodeFlow(
        ISqs sqs, ISns sns, NodeQueues queues, SqsBrokerOptions options, Subscriptions subscriptions, RelayMeter relayMeter,
        TimeProvider time, ILogger log)
    {
        _health = new QueueHealth(time, log);
        _sqs = new WatchedSqs(sqs, _health);
        _sns = new WatchedSns(sns, _health);
        _options = options;
        _subscriptions = subscriptions;
        _relayMeter = relayMeter;
        _time = time;
        _log = log;
        _memory = QueueMemory.Of(options, time);
        Urls = queues.Shared with { Name = queues.Own.Name, Url = queues.Own.Url };
        _deaf =
            $"This server does not hear itself: what it sends to its queue {queues.Control.Name} does not come back. It says nothing to "
                + $"the other servers until it does, and they read its queue after {options.Nodes.DeadAfter.TotalSeconds:0.###} s.";
        var table = new PeerTable(time, options.Nodes.DeadAfter);
        var control = new ControlQueues(_sqs, sqs, queues, time, options.Nodes.DeadAfter / 3);
        _announcer = new Announcer(queues, subscriptions, control.TellAsync, options.Nodes, time);
        _peers = new NodePeers(_sqs, sqs, _sns, queues, options.Sending, subscriptions, table, _announcer, WantedElsewhere, log, time);
        _listener = new Listener(_sqs, queues.Control, said => Hear(said, control), options.WaitTime, options.Nodes.DeadAfter, time, log);
        _quiet = new Quiet(_peers);
        _own = Read(Urls, subscriptions.Deliver);
        _shared = Read(queues.Shared, subscriptions.Deliver);
        _parked = Read(queues.Shared.Parked, subscriptions.Deliver);
        _adoption = new Adoption(
            _sqs, _sns, queues, table, () => _announcer.HearsFor, control.Know, _health, options.Nodes, ReadAdopted, time, log);
        _feed = new TopicFeed(queues, _sns, () => _announcer.SilentFor, EndTopicSubscribers, options.Nodes, time, log);
        Publisher = new Publisher(_peers, options.PublishTimeout, _meter, new PatientCalls(time, _quiet.Token), time);
    }

    public QueueUrls Urls { get; }

    public Publisher Publisher { get; }

    public QueueStats Stats =>
        _meter.Read(
            Urls, [_sqs.Traffic], [_own.Leases, _shared.Leases, _parked.Leases, .. _adoption.Flows.Select(flow => flow.Leases)],
            _peers.Nodes);

    public void RoomAt(string destination)
    {
        _announcer.Gained(destination);
        OfferAgain(destination);
    }

    public async Task<string?> AskAsync(CancellationToken cancellationToken)
    {
        await _sqs.GetQueueAttributesAsync(Urls.Url, cancellationToken);
        return _health.Trouble ?? _feed.Trouble ?? (_announcer.HearsFor > TimeSpan.Zero ? null : _deaf);
    }

    public Task RunAsync(CancellationToken stopping, CancellationToken connectionsClosed) => _quiet.RunAsync(
        [
            _own.RunAsync, _shared.RunAsync, _parked.RunAsync, _adoption.RunAsync,
            (_, ending) => _announcer.RunAsync(ending), (_, ending) => _listener.RunAsync(ending), (_, ending) => _feed.RunAsync(ending),
        ], stopping, connectionsClosed);

    public void Dispose()
    {
        _own.Dispose();
        _shared.Dispose();
        _parked.Dispose();
        _quiet.Dispose();
    }

    private QueueFlow Read(QueueUrls urls, Func<Delivery, DeliverOutcome> deliver) =>
        new(_sqs, urls, _memory, _options, deliver, _peers, _meter, _relayMeter, _time, _log);

    private QueueFlow ReadAdopted(QueueUrls urls, Func<bool> isSurelyDead)
    {
        // That node knew what it had parked.
        _memory.Parked.Forget();
        // What is for a topic or a raw connection in there is for nobody but that node, which may live after all: it waits until that is
        // sure.
        return Read(urls, delivery =>
            DestinationName.IsQueue(delivery.Message.Destination) ? _subscriptions.Deliver(delivery)
            : isSurelyDead() ? DeliverOutcome.NoSubscriber
            : DeliverOutcome.NoRoom);
    }

    // Who is heard is to hear this node, also before it is listed.
    private void Hear(Announcement said, ControlQueues control)
    {
        control.Know([said.QueueUrl]);
        _peers.Hear(said);
    }

    private void EndTopicSubscribers(string why) =>
        _subscriptions.EndConnections(destination => !DestinationName.IsQueue(destination), why);

    // What is held here for want of a subscriber can go where one is.
    private void WantedElsewhere(IReadOnlyList<string> destinations)
    {
        foreach (var destination in destinations)
            OfferAgain(destination);
    }

    private void OfferAgain(string destination)
    {
        var areHeld = _own.RoomAt(destination) | _shared.RoomAt(destination) | _parked.RoomAt(destination);
        foreach (var flow in _adoption.Flows)
            areHeld |= flow.RoomAt(destination);
        _memory.Parked.RoomAt(destination, isWanted: !areHeld);
    }
}
