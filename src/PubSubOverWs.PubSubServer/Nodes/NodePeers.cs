using PubSubOverWs.Queues;
using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// Chooses the way of messages between nodes. Messages to topics go through the SNS topic into the queues of all nodes. Messages to a queue
/// destination go to the queue of a node that has a subscriber, in turn, or to the shared queue when none is known. A transaction with both
/// goes to a queue as a whole, and its receiver sends the messages to topics on through the topic. While this node is not heard, which it
/// finds out after it stood still, or before, nothing goes to the queue of one node: that may be about to be deleted.
/// </summary>
internal sealed class NodePeers : IAsyncDisposable
{
    private const string NotHeard = "NotHeard";

    private readonly NodeContext _node;
    private readonly PeerTable _table;
    private readonly Announcer _announcer;
    private readonly Action<IReadOnlyList<string>> _wanted;
    private readonly EnvelopeSender _topic, _own, _raw;
    private readonly Func<string, EnvelopeSender> _toOther;

    /// <param name="announcer">Tells the others of a destination that no longer has a subscriber here.</param>
    /// <param name="wanted">Told of the destinations that another node has subscribers to, at least with each of its announcements.</param>
    public NodePeers(NodeContext node, PeerTable table, Announcer announcer, Action<IReadOnlyList<string>> wanted)
    {
        _node = node;
        _table = table;
        _announcer = announcer;
        _wanted = wanted;
        var own = node.Queues.Own;
        var shared = node.Queues.Shared;
        _topic = Sender(EnvelopeTarget.Topic(node.Sns, shared.Name, node.Queues.TopicArn));
        _own = Sender(CreateNodeTarget(node.Server.Queue, own.Url, _ => false));
        _raw = Sender(EnvelopeTarget.Queue(node.Server.Queue, own.Name, own.Url));
        Shared = Sender(EnvelopeTarget.Queue(node.Server.Queue, shared.Name, shared.Url));
        _toOther = url => Sender(CreateNodeTarget(node.Server.Unwatched, url, failure => IsLost(url, failure)));
    }

    /// <summary>Servers that share the work, with this one.</summary>
    public int Nodes => 1 + _table.Alive.Count;

    /// <summary>The way of all that has no other: to the queue that all nodes share.</summary>
    public EnvelopeSender Shared { get; }

    // A publish with a message to a topic goes through SNS in the end.
    public static int GetMaxBytes(IReadOnlyList<Message> publish) =>
        publish.Any(message => DestinationName.IsTopic(message.Destination)) ? SnsLimits.MaxMessageBytes : QueueLimits.MaxMessageBytes;

    public EnvelopeSender ChooseSender(IReadOnlyList<Message> publish)
    {
        if (publish.FirstOrDefault(message => !DestinationName.IsTopic(message.Destination))?.Destination is not { } destination)
            return _topic;
        if (DestinationName.IsRaw(destination))
            return _raw;
        if (!_announcer.IsHeard)
            return Shared;
        var isHere = _node.Subscriptions.HasAny(destination);
        return _table.Next(destination, isHere)?.Sender(_toOther) ?? (isHere ? _own : Shared);
    }

    /// <summary>Where a message belongs that was received here; null: here.</summary>
    public EnvelopeSender? Elsewhere(InboundMessage message)
    {
        var destination = message.Message.Destination;
        if (DestinationName.IsTopic(destination))
            return message.Lease.IsMixed ? _topic : null;
        if (DestinationName.IsRaw(destination) || _node.Subscriptions.HasAny(destination))
            return null;
        _announcer.Lost(destination);
        return _announcer.IsHeard ? _table.Next(destination, orHere: false)?.Sender(_toOther) : null;
    }

    /// <summary>An announcement of a node came. Called for each copy of it, in any order.</summary>
    public void Hear(Announcement said)
    {
        if (said.Node == _node.Queues.Node)
        {
            _announcer.HeardOwn(said.Number);
            return;
        }
        if (_table.Hear(said))
            _node.Log.HeardOf(said.Node);
        _wanted(said.Has);
    }

    /// <summary>A message under way to a queue that is gone fails by itself, and goes elsewhere.</summary>
    public async ValueTask DisposeAsync()
    {
        foreach (var sender in _table.Senders.Concat([_topic, _own, _raw, Shared]))
            await sender.DisposeAsync();
    }

    private EnvelopeSender Sender(EnvelopeTarget target) => new(target, _node.Server.Options.Sending, _node.Time);

    // This process may stand still between the choice of the queue and the answer: then the queue may be gone in a moment, and what was
    // sent there is sent again elsewhere.
    private EnvelopeTarget CreateNodeTarget(IQueue queue, string url, Func<QueueException, bool> isLost)
    {
        var target = EnvelopeTarget.Queue(queue, NodeQueues.GetName(url), url);
        return target with { SendAsync = SendAsync, IsLost = failure => failure.Code == NotHeard || isLost(failure) };

        async ValueTask<IReadOnlyList<EntryResult>> SendAsync(IReadOnlyList<SendEntry> entries)
        {
            var results = await target.SendAsync(entries);
            return _announcer.IsHeard
                ? results
                : throw new QueueException(
                    NotHeard, $"{target.Name} may be gone: the other servers may not have heard this one for a while.", isRetryable: true);
        }
    }

    private bool IsLost(string queueUrl, QueueException failure)
    {
        if (failure.Code != SqsErrorCode.QueueDoesNotExist)
            return false;
        _table.ForgetQueue(queueUrl);
        return true;
    }
}
