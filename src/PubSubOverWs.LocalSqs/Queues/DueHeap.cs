namespace PubSubOverWs.LocalSqs;

/// <summary>
/// Items that fall due, earliest first: a binary heap whose items know their positions, so that deleted items leave at once. (A heap that
/// only marks them would hold every deleted message until its visibility runs out.)
/// </summary>
internal sealed class DueHeap
{
    private readonly List<Due> _items = [];

    public int Count => _items.Count;

    public Due? First => _items.Count == 0 ? null : _items[0];

    /// <summary>In heap order: only the first position, the earliest item, is defined.</summary>
    public IReadOnlyList<Due> Items => _items;

    public void Add(Due item, long at)
    {
        item.At = at;
        item.Place = _items.Count;
        _items.Add(item);
        Rise(item);
    }

    public void Remove(Due item)
    {
        var place = item.Place;
        item.Place = -1;
        var last = _items[^1];
        _items.RemoveAt(_items.Count - 1);
        if (ReferenceEquals(last, item))
            return;
        Put(last, place);
        Rise(last);
        Sink(last);
    }

    public void Clear()
    {
        foreach (var item in _items)
            item.Place = -1;
        _items.Clear();
    }

    private void Rise(Due item)
    {
        var place = item.Place;
        while (place > 0 && _items[(place - 1) / 2] is var parent && parent.At > item.At)
        {
            Put(parent, place);
            place = (place - 1) / 2;
        }
        Put(item, place);
    }

    private void Sink(Due item)
    {
        var place = item.Place;
        while (2 * place + 1 is var child && child < _items.Count)
        {
            if (child + 1 < _items.Count && _items[child + 1].At < _items[child].At)
                child++;
            if (_items[child].At >= item.At)
                break;
            Put(_items[child], place);
            place = child;
        }
        Put(item, place);
    }

    private void Put(Due item, int place)
    {
        _items[place] = item;
        item.Place = place;
    }
}

/// <summary>Something that falls due: a message that becomes visible or expires, or a poll that has waited long enough.</summary>
internal abstract class Due
{
    /// <summary>When, as a timestamp of the queue's <see cref="TimeProvider"/>.</summary>
    public long At { get; set; }

    /// <summary>Its position in its <see cref="DueHeap"/>; -1: it is in none.</summary>
    public int Place { get; set; } = -1;
}
