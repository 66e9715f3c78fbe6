using System.Collections.Concurrent;
using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// Chooses the way of messages between nodes. Messages to topics go through the SNS topic into the queues of all nodes. Messages to a queue
/// destination go to the queue of a node that has a subscriber, in turn, or to the shared queue when none is known. A transaction with both
/// goes to a queue as a whole, and its receiver sends the messages to topics on through the topic.
/// </summary>
internal sealed class NodePeers : IAsyncDisposable
{
    private readonly ISqs _own;
    private readonly ISqs _others;
    private readonly SendingOptions _options;
    private readonly Subscriptions _subscriptions;
    private readonly PeerTable _table;
    private readonly Announcer _announcer;
    private readonly Action<IReadOnlyList<string>> _wanted;
    private readonly string _node;
    private readonly string _ownQueue;
    private readonly string _sharedQueue;
    private readonly EnvelopeSender _topic;
    private readonly ILogger _log;
    private readonly TimeProvider _time;
    private readonly ConcurrentDictionary<string, Lazy<EnvelopeSender>> _queues = new(StringComparer.Ordinal);

    /// <param name="own">The client of the own queue and the shared one.</param>
    /// <param name="others">The client of other nodes' queues: that one of them is gone does not make this node unready.</param>
    /// <param name="sns">The client of the topic.</param>
    /// <param name="queues">Those of this node.</param>
    /// <param name="options">How publishes are gathered.</param>
    /// <param name="subscriptions">Of this node.</param>
    /// <param name="table">What is known of the others.</param>
    /// <param name="announcer">Tells the others of a destination that no longer has a subscriber here.</param>
    /// <param name="wanted">Told of the destinations that another node has subscribers to, at least with each of its announcements.</param>
    /// <param name="log">Says when a node is first heard of.</param>
    /// <param name="time">The clock of calls that take long.</param>
    public NodePeers(
        ISqs own, ISqs others, ISns sns, NodeQueues queues, SendingOptions options, Subscriptions subscriptions, PeerTable table,
        Announcer announcer,
        Action<IReadOnlyList<string>> wanted, ILogger log, TimeProvider time)
    {
        _own = own;
        _others = others;
        _options = options;
        _subscriptions = subscriptions;
        _table = table;
        _announcer = announcer;
        _wanted = wanted;
        _node = queues.Node;
        _ownQueue = queues.Own.Url;
        _sharedQueue = queues.Shared.Url;
        _topic = new EnvelopeSender(EnvelopeTarget.Topic(sns, queues.Shared.Name, queues.TopicArn), options, time);
        (_log, _time) = (log, time);
    }

    /// <summary>Servers that share the work, with this one.</summary>
    public int Nodes => 1 + _table.Alive.Count;

    /// <summary>The way of all that has no other: to the queue that all nodes share.</summary>
    public EnvelopeSender Shared => Queue(_sharedQueue);

    // A publish with a message to a topic goes through SNS in the end.
    public static int MaxBytesOf(IReadOnlyList<Message> publish) =>
        publish.Any(message => DestinationName.IsTopic(message.Destination)) ? SnsLimits.MaxMessageBytes : SqsLimits.MaxMessageBytes;

    public EnvelopeSender WayOf(IReadOnlyList<Message> publish)
    {
        if (publish.FirstOrDefault(message => !DestinationName.IsTopic(message.Destination))?.Destination is not { } destination)
            return _topic;
        if (DestinationName.IsRaw(destination))
            return Queue(_ownQueue);
        var isHere = _subscriptions.HasAny(destination);
        return Queue(_table.NextQueue(destination, isHere) ?? (isHere ? _ownQueue : _sharedQueue));
    }

    /// <summary>Where a message belongs that was received here; null: here.</summary>
    public EnvelopeSender? Elsewhere(InboundMessage message)
    {
        var destination = message.Message.Destination;
        if (DestinationName.IsTopic(destination))
            return message.Lease.IsMixed ? _topic : null;
        if (DestinationName.IsRaw(destination) || _subscriptions.HasAny(destination))
            return null;
        _announcer.Lost(destination);
        return _table.NextQueue(destination, orHere: false) is { } queueUrl ? Queue(queueUrl) : null;
    }

    /// <summary>An announcement of a node came. Called for each copy of it, in any order.</summary>
    public void Hear(Announcement said)
    {
        if (said.Node == _node)
        {
            _announcer.HeardOwn();
            return;
        }
        if (_table.Hear(said))
            _log.HeardOf(said.Node);
        _wanted(said.Has);
    }

    public async ValueTask DisposeAsync()
    {
        await _topic.DisposeAsync();
        foreach (var sender in _queues.Values)
            await sender.Value.DisposeAsync();
    }

    private EnvelopeSender Queue(string url) => _queues.GetOrAdd(url, static (url, self) => new(() => self.Sender(url)), this).Value;

    private EnvelopeSender Sender(string url)
    {
        var isOurs = url == _ownQueue || url == _sharedQueue;
        var target = EnvelopeTarget.Queue(isOurs ? _own : _others, NodeQueues.NameOf(url), url);
        return new EnvelopeSender(isOurs ? target : target with { IsLost = failure => IsLost(url, failure) }, _options, _time);
    }

    private bool IsLost(string queueUrl, SqsException failure)
    {
        if (failure.Code != SqsErrorCode.QueueDoesNotExist)
            return false;
        _table.ForgetQueue(queueUrl);
        return true;
    }
}
