using System.Diagnostics.CodeAnalysis;

namespace PubSubOverWs.LocalSqs;

/// <summary>
/// The line of a FIFO queue: as many messages of one group as may be taken, then those of the next. A group joins the line when it becomes
/// ready, and leaves it while a message in flight holds up the others.
/// </summary>
internal sealed class FifoLine : IMessageLine
{
    private readonly Dictionary<string, MessageGroup> _groups = [];
    private readonly LinkedList<MessageGroup> _ready = new();

    public bool HasNext => _ready.Count > 0;

    /// <summary>The groups with a message here or in flight.</summary>
    public int Groups => _groups.Count;

    public void Add(StoredMessage message)
    {
        var group = GroupOf(message);
        group.Add(message);
        Settle(group);
    }

    public bool TryTake([NotNullWhen(true)] out StoredMessage? message)
    {
        message = null;
        if (_ready.First?.Value is not { } group)
            return false;
        message = group.Take();
        Settle(group);
        return true;
    }

    public void Hold(StoredMessage message)
    {
        var group = GroupOf(message);
        group.Hold(message);
        Settle(group);
    }

    public void Forget(StoredMessage message)
    {
        var group = GroupOf(message);
        group.Forget(message);
        Settle(group);
        // Every message ends with a call of this method, so no group without messages stays.
        if (group.IsEmpty)
            _groups.Remove(group.Id);
    }

    public void Clear()
    {
        _groups.Clear();
        _ready.Clear();
    }

    private MessageGroup GroupOf(StoredMessage message)
    {
        var id = message.Extras!.GroupId!;
        if (!_groups.TryGetValue(id, out var group))
            _groups.Add(id, group = new MessageGroup(id));
        return group;
    }

    private void Settle(MessageGroup group)
    {
        if (group.HasNext == group.IsInLine)
            return;
        if (group.HasNext)
            _ready.AddLast(group.Node);
        else
            _ready.Remove(group.Node);
    }
}
