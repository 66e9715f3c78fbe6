namespace PubSubOverWs.Queues;

/// <summary>
/// The consumers of a channel, and how many more messages RabbitMQ may send to them: with little room another consumer begins, with much
/// one ends, so that what is here and was not received is bounded. Not safe: its owner locks.
/// </summary>
internal sealed class RabbitMqRoom
{
    /// <summary>The prefetch of each.</summary>
    public const ushort OfOne = 50;

    private const int Least = 25;
    private const int Most = 100;

    private readonly Dictionary<string, int> _consumers = [];
    private int _all;
    private int _names;

    public bool HasConsumers => _consumers.Count > 0;

    /// <summary>Nothing is to be done.</summary>
    public bool Suits(bool mayGrow) => (_all >= Least || !mayGrow) && _all <= Most;

    /// <summary>The consumer that is to begin or to end; null: none.</summary>
    public (string Name, bool Ends)? Next(bool mayGrow)
    {
        if (Suits(mayGrow))
            return null;
        if (_all > Most)
        {
            var emptiest = _consumers.MaxBy(consumer => consumer.Value).Key;
            Forget(emptiest);
            return (emptiest, true);
        }
        var name = $"pubsub-over-ws-{++_names}";
        _consumers[name] = OfOne;
        _all += OfOne;
        return (name, false);
    }

    public void Change(string consumer, int by)
    {
        // Otherwise it has ended.
        if (!_consumers.TryGetValue(consumer, out var room))
            return;
        _consumers[consumer] = room + by;
        _all += by;
    }

    public void Forget(string consumer)
    {
        if (_consumers.Remove(consumer, out var room))
            _all -= room;
    }

    /// <returns>Those that are to end.</returns>
    public IReadOnlyList<string> Clear()
    {
        string[] all = [.. _consumers.Keys];
        _consumers.Clear();
        _all = 0;
        return all;
    }
}
