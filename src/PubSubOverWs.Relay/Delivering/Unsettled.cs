namespace PubSubOverWs.Relay;

/// <summary>
/// The deliveries of one subscription that its client has not acknowledged, by number. Taking off one, or all up to one, costs the same
/// however many there are: each number is looked at once when it is added and once when it is taken off. Not thread-safe.
/// </summary>
/// <param name="numbers">Compares numbers; null: as usual.</param>
internal sealed class Unsettled(IEqualityComparer<long>? numbers = null)
{
    private const int KeptCapacity = 64;

    private readonly Dictionary<long, Delivery> _deliveries = new(numbers);

    // Of AckMode.Client: all below were taken off. Each number is looked at once, those that a topic's subscriber missed among them.
    private long _first = 1;
    private long _last;

    public int Count => _deliveries.Count;

    /// <param name="number">Above the last, from 1; numbers between them were missed.</param>
    public void Add(long number, Delivery delivery)
    {
        _last = number;
        _deliveries.Add(number, delivery);
    }

    /// <summary>Takes off the one with that number. Null: it is not on the list.</summary>
    public Delivery? Take(long number)
    {
        _deliveries.Remove(number, out var delivery);
        Trim();
        return delivery;
    }

    /// <summary>Takes off all up to that number, in order; a number above the last counts as the last.</summary>
    public List<Delivery> TakeUpTo(long number)
    {
        List<Delivery> taken = [];
        for (var last = Math.Min(number, _last); _first <= last; _first++)
        {
            if (_deliveries.Remove(_first, out var delivery))
                taken.Add(delivery);
        }
        Trim();
        return taken;
    }

    /// <summary>Removes and returns the rest, in order.</summary>
    public List<(long Number, Delivery Delivery)> TakeAll()
    {
        List<(long, Delivery)> left = [.. _deliveries.OrderBy(entry => entry.Key).Select(entry => (entry.Key, entry.Value))];
        _deliveries.Clear();
        Trim();
        return left;
    }

    private void Trim()
    {
        if (_deliveries.Count == 0 && _deliveries.Capacity > KeptCapacity)
            _deliveries.TrimExcess();
    }
}
