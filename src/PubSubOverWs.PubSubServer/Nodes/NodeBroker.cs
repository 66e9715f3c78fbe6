using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// One server of several: it reads a queue of its own, which others send to and the topic feeds, the queue that all share, and those that
/// dead nodes left behind (<see cref="Adoption"/>). It tells the others which destinations have a subscriber here
/// (<see cref="Announcer"/>), receives what they tell (<see cref="Listener"/>), and makes sure that the topic goes on feeding its queue
/// (<see cref="TopicFeed"/>).
/// </summary>
internal sealed class NodeBroker : SqsBroker
{
    private readonly IServiceProvider _services;
    private readonly Subscriptions _subscriptions;
    private readonly NodeId _node;

    // Once the queues are open.
    private string _deaf = null!;
    private NodePeers _peers = null!;
    private Announcer _announcer = null!;
    private Listener _listener = null!;
    private TopicFeed _feed = null!;
    private Adoption _adoption = null!;

    public NodeBroker(
        IServiceProvider services, SqsBrokerOptions options, Subscriptions subscriptions, RelayMeter relayMeter, TimeProvider time,
        NodeId node, IHostApplicationLifetime application, ILogger<SqsBroker> log)
        : base(services, options, subscriptions.Deliver, relayMeter, time, application, log) =>
        (_services, _subscriptions, _node) = (services, subscriptions, node);

    public override IReadOnlyList<Leases> Leases => [.. base.Leases, .. _adoption.Flows.Select(flow => flow.Leases)];

    protected override int Nodes => _peers.Nodes;

    protected override IReadOnlyList<Func<Task, CancellationToken, Task>> Parts =>
    [
        .. base.Parts, _adoption.RunAsync,
        (_, ending) => _announcer.RunAsync(ending), (_, ending) => _listener.RunAsync(ending), (_, ending) => _feed.RunAsync(ending),
    ];

    public override void RoomAt(string destination)
    {
        _announcer.Gained(destination);
        base.RoomAt(destination);
    }

    public override async Task<string?> AskAsync(CancellationToken cancellationToken) =>
        await base.AskAsync(cancellationToken) ?? _feed.Trouble ?? (_announcer.HearsFor > TimeSpan.Zero ? null : _deaf);

    public override async Task OpenAsync(ISqs sqs, CancellationToken cancellationToken)
    {
        var plainSns = _services.GetRequiredService<ISns>();
        var queues = await NodeQueues.OpenAsync(sqs, plainSns, Options.Queue, _node.Value, cancellationToken);
        Urls = queues.Shared with { Name = queues.Own.Name, Url = queues.Own.Url };
        Sqs = new WatchedSqs(sqs, Health);
        var sns = new WatchedSns(plainSns, Health);
        var nodes = Options.Nodes;
        _deaf =
            $"This server does not hear itself: what it sends to its queue {queues.Control.Name} does not come back. It says nothing to "
                + $"the other servers until it does, and they read its queue after {nodes.DeadAfter.TotalSeconds:0.###} s.";
        var table = new PeerTable(Time, nodes.DeadAfter);
        var control = new ControlQueues(Sqs, sqs, queues, Time, nodes.DeadAfter / 3);
        _announcer = new Announcer(queues, _subscriptions, control.TellAsync, nodes, Time);
        _peers = new NodePeers(Sqs, sqs, sns, queues, Options.Sending, _subscriptions, table, _announcer, WantedElsewhere, Log, Time);
        _listener = new Listener(Sqs, queues.Control, said => Hear(said, control), Options.WaitTime, nodes.DeadAfter, Time, Log);
        Quiet = new Quiet(_peers);
        Flows =
        [
            Read(Urls, _subscriptions.Deliver, _peers.Elsewhere), Read(queues.Shared, _subscriptions.Deliver, _peers.Elsewhere),
            Read(queues.Shared.Parked, _subscriptions.Deliver, _peers.Elsewhere),
        ];
        _adoption = new Adoption(
            Sqs, sns, queues, table, () => _announcer.HearsFor, control.Know, Health, nodes, ReadAdopted, Time, Log);
        _feed = new TopicFeed(queues, sns, () => _announcer.SilentFor, EndTopicSubscribers, nodes, Time, Log);
        Publisher = new NodePublisher(_peers, Options.PublishTimeout, Meter, new PatientCalls(Time, Quiet.Token), Time);
    }

    protected override bool OfferHeld(string destination)
    {
        var areHeld = base.OfferHeld(destination);
        foreach (var flow in _adoption.Flows)
            areHeld |= flow.RoomAt(destination);
        return areHeld;
    }

    private QueueFlow ReadAdopted(QueueUrls urls, Func<bool> isSurelyDead)
    {
        // Only that node knew what it had parked.
        Memory.Parked.Forget();
        // Messages to topics and raw connections in there are for that node alone, which may live after all: they wait until that is
        // certain.
        return Read(
            urls,
            delivery =>
                DestinationName.IsQueue(delivery.Message.Destination) ? _subscriptions.Deliver(delivery)
                : isSurelyDead() ? DeliverOutcome.NoSubscriber
                : DeliverOutcome.NoRoom,
            _peers.Elsewhere);
    }

    // A node that is heard must hear this one too, even before its queue is listed.
    private void Hear(Announcement said, ControlQueues control)
    {
        control.Know([said.QueueUrl]);
        _peers.Hear(said);
    }

    private void EndTopicSubscribers(string why) =>
        _subscriptions.EndConnections(destination => !DestinationName.IsQueue(destination), why);

    // Messages held here for lack of a subscriber can go where there is one.
    private void WantedElsewhere(IReadOnlyList<string> destinations)
    {
        foreach (var destination in destinations)
            base.RoomAt(destination);
    }

    /// <summary>The way of a publish depends on where its subscribers are.</summary>
    private sealed class NodePublisher(NodePeers peers, TimeSpan timeout, QueueMeter meter, PatientCalls calls, TimeProvider time)
        : Publisher(peers.Shared, timeout, meter, calls, time)
    {
        protected override EnvelopeSender WayOf(IReadOnlyList<Message> messages) => peers.WayOf(messages);

        protected override int MaxBytesOf(IReadOnlyList<Message> messages) => NodePeers.MaxBytesOf(messages);
    }
}
