namespace PubSubOverWs.LocalSqs;

/// <summary>
/// The messages of one group of a FIFO queue, in the order of their numbers. One of them may be taken when none before it is in flight:
/// order is kept, and a message released early does not wait for those that were received with it.
/// </summary>
internal sealed class MessageGroup
{
    private readonly Queue<StoredMessage> _inOrder = new();
    // Messages that came back to their place, and others with a lower number than one that was here.
    private readonly PriorityQueue<StoredMessage, ulong> _earlier = new();
    private readonly SortedSet<ulong> _inFlight = [];
    private ulong _highest;

    public MessageGroup(string id)
    {
        Id = id;
        Node = new LinkedListNode<MessageGroup>(this);
    }

    public string Id { get; }

    /// <summary>Its place in the line of groups that have a next message.</summary>
    public LinkedListNode<MessageGroup> Node { get; }

    public bool IsInLine => Node.List is not null;

    public bool IsEmpty => _inOrder.Count == 0 && _earlier.Count == 0 && _inFlight.Count == 0;

    /// <summary>Whether a message may be taken now.</summary>
    public bool HasNext => Next is { } next && (_inFlight.Count == 0 || next.Number < _inFlight.Min);

    private StoredMessage? Next => IsEarlierNext ? _earlier.Peek() : _inOrder.TryPeek(out var first) ? first : null;

    private bool IsEarlierNext => _earlier.TryPeek(out _, out var number) && !(_inOrder.TryPeek(out var first) && first.Number < number);

    public void Add(StoredMessage message)
    {
        _inFlight.Remove(message.Number);
        if (message.Number > _highest)
        {
            _highest = message.Number;
            _inOrder.Enqueue(message);
        }
        else
        {
            _earlier.Enqueue(message, message.Number);
        }
    }

    /// <summary>The first visible message. Only for a group that <see cref="HasNext"/>.</summary>
    public StoredMessage Take() => IsEarlierNext ? _earlier.Dequeue() : _inOrder.Dequeue();

    public void Hold(StoredMessage message) => _inFlight.Add(message.Number);

    public void Forget(StoredMessage message) => _inFlight.Remove(message.Number);
}
