namespace PubSubOverWs.PubSubServer;

/// <summary>
/// One other node, as its announcements describe it. Members that change are guarded by the lock of <see cref="PeerTable"/>; the sender is
/// safe from any thread.
/// </summary>
internal sealed class Peer(string node, string queueUrl)
{
    private readonly Dictionary<string, (long Number, bool Has)> _said = new(StringComparer.Ordinal);
    private readonly HashSet<int> _parts = [];
    private long _whole;
    private EnvelopeSender? _sender;

    public string Node => node;

    public string QueueUrl => queueUrl;

    /// <summary>Null: nothing was sent to it yet.</summary>
    public EnvelopeSender? StartedSender => Volatile.Read(ref _sender);

    /// <summary>A timestamp of the table's clock.</summary>
    public long HeardAt { get; set; }

    public bool HasLeft { get; private set; }

    /// <summary>The destinations with a subscriber there.</summary>
    public IEnumerable<string> Destinations => _said.Where(said => said.Value.Has).Select(said => said.Key);

    /// <summary>Sends to its queue.</summary>
    /// <param name="create">Makes the sender for the URL of a queue, when it is first wanted.</param>
    public EnvelopeSender Sender(Func<string, EnvelopeSender> create) =>
        StartedSender ?? Interlocked.CompareExchange(ref _sender, create(queueUrl), null) ?? _sender;

    /// <summary>Nothing is sent to it from now on; if it is heard again, it announces everything again.</summary>
    /// <param name="changed">Called for each destination that had a subscriber.</param>
    public void Forget(Action<string, bool> changed)
    {
        foreach (var destination in Destinations.ToArray())
            changed(destination, false);
        _said.Clear();
    }

    /// <param name="said">An announcement of this node, perhaps a copy of an earlier one, or late.</param>
    /// <param name="changed">Called for each destination that gained its first subscriber, or lost its last.</param>
    public void Apply(Announcement said, Action<string, bool> changed)
    {
        HasLeft |= said.Leaves;
        foreach (var destination in said.Has)
            Note(destination, said.Number, true, changed);
        foreach (var destination in said.HasNoMore)
            Note(destination, said.Number, false, changed);
        if (IsWholeWith(said))
            ForgetBefore(said.Number, changed);
    }

    private void Note(string destination, long number, bool has, Action<string, bool> changed)
    {
        var (earlier, had) = _said.GetValueOrDefault(destination);
        if (number < earlier || number < _whole)
            return;
        _said[destination] = (number, has);
        if (had != has)
            changed(destination, has);
    }

    private bool IsWholeWith(Announcement said)
    {
        if (said.Parts == 0 || said.Number < _whole)
            return false;
        if (said.Number > _whole)
            _parts.Clear();
        _whole = said.Number;
        return _parts.Add(said.Part) && _parts.Count == said.Parts;
    }

    // Destinations that are not part of everything have no subscriber.
    private void ForgetBefore(long number, Action<string, bool> changed)
    {
        foreach (var (destination, (said, has)) in _said.ToArray())
        {
            if (said >= number)
                continue;
            _said.Remove(destination);
            if (has)
                changed(destination, false);
        }
    }
}
