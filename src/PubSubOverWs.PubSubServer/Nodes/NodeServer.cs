using PubSubOverWs.Queues;
using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// One server of several: it reads a queue of its own, which others send to and the topic feeds, the queue that all share, and those that
/// dead nodes left behind (<see cref="Adoption"/>). It tells the others which destinations have a subscriber here
/// (<see cref="Announcer"/>), receives their announcements (<see cref="ControlQueues"/>), and makes sure that the topic still feeds its
/// queue (<see cref="TopicFeed"/>).
/// </summary>
internal sealed class NodeServer : QueueServer
{
    private readonly NodeContext _node;
    private readonly Announcer _announcer;
    private readonly NodePeers _peers;
    private readonly ControlQueues _control;
    private readonly Adoption _adoption;
    private readonly TopicFeed _feed;

    private NodeServer(NodeContext node)
        : base(node.Server, node.Queues.Shared with { Name = node.Queues.Own.Name, Url = node.Queues.Own.Url })
    {
        _node = node;
        var table = new PeerTable(node.Time, node.Options.DeadAfter);
        _control = new ControlQueues(node);
        _announcer = new Announcer(node, _control.TellAsync);
        _peers = new NodePeers(node, table, _announcer, WantedElsewhere);
        _adoption = new Adoption(node, table, () => _announcer.HearsFor, _control.Know, ReadAdopted);
        _feed = new TopicFeed(node, () => _announcer.SilentFor, EndTopicSubscribers);
        EndOfPublishing = new EndOfPublishing(_peers);
        Publisher = new NodePublisher(
            _peers, node.Server.Options.PublishTimeout, node.Server.Meter, new PatientCalls(node.Time, EndOfPublishing.Token),
            node.Server.Awake);
        var shared = node.Queues.Shared;
        Flows = [Read(Urls, node.Subscriptions.Deliver), Read(shared, node.Subscriptions.Deliver),
            Read(shared.Parked, node.Subscriptions.Deliver)];
    }

    public override Publisher Publisher { get; }

    public override IReadOnlyList<Leases> Leases => [.. base.Leases, .. _adoption.Flows.Select(flow => flow.Leases)];

    protected override EndOfPublishing EndOfPublishing { get; }

    protected override QueueFlow[] Flows { get; }

    protected override int Nodes => _peers.Nodes;

    protected override IReadOnlyList<Func<Task, CancellationToken, Task>> Parts =>
    [
        .. base.Parts, _adoption.RunAsync,
        (_, ending) => _announcer.RunAsync(ending), (_, ending) => _control.RunAsync(_peers.Hear, ending),
        (_, ending) => _feed.RunAsync(ending),
    ];

    private string TroubleHearing =>
        $"This server does not hear itself: what it sends to its queue {_node.Queues.Control.Name} does not come back. It says nothing to "
            + $"the other servers until it does, and they read its queue after {_node.Options.DeadAfter.TotalSeconds:0.###} s.";

    /// <summary>Finds the topic and the queues or creates them, and subscribes this node's own queue to the topic.</summary>
    /// <exception cref="QueueException">SQS or SNS cannot be reached, or refused.</exception>
    public static async Task<QueueServer> OpenAsync(
        ISqs sqs, ISns sns, NodeId id, Subscriptions subscriptions, QueueContext context, CancellationToken cancellationToken)
    {
        var queues = await NodeQueues.OpenAsync(sqs, sns, context.Options.Name, id.Value, cancellationToken);
        return new NodeServer(new NodeContext(context, sqs, new WatchedSns(sns, context.Health), queues, subscriptions));
    }

    public override void RoomAt(string destination)
    {
        // There is room, too, where the last subscriber left.
        if (_node.Subscriptions.HasAny(destination))
            _announcer.Gained(destination);
        base.RoomAt(destination);
    }

    public override async Task<string?> AskAsync(CancellationToken cancellationToken) =>
        await base.AskAsync(cancellationToken) ?? _feed.Trouble ?? (_announcer.HearsFor > TimeSpan.Zero ? null : TroubleHearing);

    protected override bool OfferHeld(string destination)
    {
        var areHeld = base.OfferHeld(destination);
        foreach (var flow in _adoption.Flows)
            areHeld |= flow.RoomAt(destination);
        return areHeld;
    }

    private QueueFlow Read(QueueUrls urls, Func<Delivery, DeliverOutcome> deliver) => new(Context, urls, deliver, _peers.Elsewhere);

    private QueueFlow ReadAdopted(QueueUrls urls, Func<bool> isSurelyDead)
    {
        // Only that node counted the messages that it had parked.
        Context.Parked.Forget();
        // Messages to topics and raw connections in there are for that node alone, which may live after all: they wait until that is
        // certain.
        return Read(urls, delivery =>
            DestinationName.IsQueue(delivery.Message.Destination) ? _node.Subscriptions.Deliver(delivery)
            : isSurelyDead() ? DeliverOutcome.NoSubscriber
            : DeliverOutcome.NoRoom);
    }

    private void EndTopicSubscribers(string why) =>
        _node.Subscriptions.EndConnections(destination => !DestinationName.IsQueue(destination), why);

    // Messages held here for lack of a subscriber can go where there is one.
    private void WantedElsewhere(IReadOnlyList<string> destinations)
    {
        foreach (var destination in destinations)
            base.RoomAt(destination);
    }

    /// <summary>Where a publish is sent depends on where its subscribers are.</summary>
    private sealed class NodePublisher(NodePeers peers, TimeSpan timeout, QueueMeter meter, PatientCalls calls, TimeProvider time)
        : Publisher(peers.Shared, timeout, meter, calls, time)
    {
        protected override EnvelopeSender ChooseSender(IReadOnlyList<Message> messages) => peers.ChooseSender(messages);

        protected override int GetMaxBytes(IReadOnlyList<Message> messages) => NodePeers.GetMaxBytes(messages);
    }
}

/// <summary>Objects that the parts of a <see cref="NodeServer"/> share.</summary>
/// <param name="Server">As in a server that is alone. Failures of its client make this node unready: it is for this node's queues.</param>
/// <param name="Others">The client for queues of other nodes: one of them may be deleted, and this node is still ready.</param>
internal sealed record NodeContext(QueueContext Server, ISqs Others, ISns Sns, NodeQueues Queues, Subscriptions Subscriptions)
{
    public NodeOptions Options => Server.Options.Nodes;

    public TimeProvider Time => Server.Time;

    public ILogger Log => Server.Log;
}
