namespace PubSubOverWs.PubSubServer;

/// <summary>One other node, as its announcements describe it. Not safe: <see cref="PeerTable"/> has the lock.</summary>
internal sealed class Peer(string node, string queueUrl)
{
    private readonly Dictionary<string, (long Number, bool Has)> _said = new(StringComparer.Ordinal);
    private readonly HashSet<int> _parts = [];
    private long _whole;

    public string Node => node;

    public string QueueUrl => queueUrl;

    /// <summary>A timestamp of the table's clock.</summary>
    public long HeardAt { get; set; }

    public bool HasLeft { get; private set; }

    /// <summary>The destinations with a subscriber there.</summary>
    public IEnumerable<string> Destinations => _said.Where(said => said.Value.Has).Select(said => said.Key);

    /// <summary>Nothing is sent to it from now on: when it is heard again, it announces everything again.</summary>
    /// <param name="changed">Told of each destination that had a subscriber.</param>
    public void Forget(Action<string, bool> changed)
    {
        foreach (var destination in Destinations.ToArray())
            changed(destination, false);
        _said.Clear();
    }

    /// <param name="said">Of this node; it may have come before, or late.</param>
    /// <param name="changed">Told of each destination that has a subscriber now and had none, or the other way round.</param>
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

    // What the whole does not name has no subscriber.
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
