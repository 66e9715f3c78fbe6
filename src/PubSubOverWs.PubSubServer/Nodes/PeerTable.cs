namespace PubSubOverWs.PubSubServer;

/// <summary>The other nodes that are known, and which of them is next. Thread-safe.</summary>
/// <param name="deadAfter">A node is considered dead when nothing was heard from it for this time.</param>
internal sealed class PeerTable(TimeProvider time, TimeSpan deadAfter)
{
    private readonly Lock _lock = new();
    private readonly Dictionary<string, Peer> _peers = new(StringComparer.Ordinal);
    private readonly Dictionary<string, Turns> _turns = new(StringComparer.Ordinal);

    /// <summary>Ids of the nodes that are alive.</summary>
    public IReadOnlyList<string> Alive
    {
        get
        {
            lock (_lock)
                return [.. _peers.Values.Where(IsAlive).Select(peer => peer.Node)];
        }
    }

    /// <summary>Records an announcement of a node.</summary>
    /// <returns>Whether it was not known before.</returns>
    public bool Hear(Announcement said)
    {
        lock (_lock)
        {
            var isNew = !_peers.TryGetValue(said.Node, out var peer);
            _peers[said.Node] = peer ??= new Peer(said.Node, said.QueueUrl);
            peer.HeardAt = time.GetTimestamp();
            peer.Apply(said, (destination, has) => Change(peer, destination, has));
            return isNew;
        }
    }

    /// <summary>The senders to the queues of known nodes, one for each queue to which something was sent.</summary>
    public IReadOnlyList<EnvelopeSender> Senders
    {
        get
        {
            lock (_lock)
                return [.. _peers.Values.Select(peer => peer.StartedSender).OfType<EnvelopeSender>()];
        }
    }

    /// <summary>The next node in turn that is alive and has a subscriber.</summary>
    /// <param name="destination">A queue destination.</param>
    /// <param name="orHere">This node takes its turn as well: it has a subscriber.</param>
    /// <returns>Null: it is this node's turn, or no other has a subscriber.</returns>
    public Peer? Next(string destination, bool orHere)
    {
        lock (_lock)
        {
            if (!_turns.TryGetValue(destination, out var turns))
                return null;
            var places = turns.Peers.Count + (orHere ? 1 : 0);
            for (var i = 0; i < places; i++)
            {
                turns.Last = (turns.Last + 1) % places;
                if (turns.Last == turns.Peers.Count)
                    return null;
                if (IsAlive(turns.Peers[turns.Last]))
                    return turns.Peers[turns.Last];
            }
            return null;
        }
    }

    /// <summary>How long ago a node was heard; null: never. A node that left was heard for the last time.</summary>
    public TimeSpan? Silence(string node)
    {
        lock (_lock)
        {
            if (!_peers.TryGetValue(node, out var peer))
                return null;
            return peer.HasLeft ? TimeSpan.MaxValue : time.GetElapsedTime(peer.HeardAt);
        }
    }

    /// <summary>The queue of a node is gone, and so is the node. If it is heard again, it is known again.</summary>
    public void ForgetQueue(string queueUrl)
    {
        lock (_lock)
        {
            if (_peers.Values.FirstOrDefault(peer => NodeQueues.GetName(peer.QueueUrl) == NodeQueues.GetName(queueUrl)) is not { } peer)
                return;
            peer.Forget((destination, has) => Change(peer, destination, has));
            _peers.Remove(peer.Node);
        }
    }

    /// <summary>Forgets the subscriptions of dead nodes, so that memory does not grow with every node that ever existed.</summary>
    public void ForgetDead()
    {
        lock (_lock)
        {
            foreach (var peer in _peers.Values.Where(peer => !IsAlive(peer)))
                peer.Forget((destination, has) => Change(peer, destination, has));
        }
    }

    private bool IsAlive(Peer peer) => !peer.HasLeft && time.GetElapsedTime(peer.HeardAt) < deadAfter;

    private void Change(Peer peer, string destination, bool has)
    {
        if (has)
        {
            if (!_turns.TryGetValue(destination, out var turns))
                _turns[destination] = turns = new Turns();
            turns.Peers.Add(peer);
        }
        else if (_turns.TryGetValue(destination, out var turns) && turns.Peers.Remove(peer) && turns.Peers.Count == 0)
        {
            _turns.Remove(destination);
        }
    }

    private sealed class Turns
    {
        public List<Peer> Peers { get; } = [];

        public int Last { get; set; }
    }
}
