using System.Collections.Concurrent;

namespace PubSubOverWs.LoadTest.Experiments.Transports.Load;

/// <summary>
/// Sensors and those that receive what they measure. A sensor has a channel; each of its clients has an inbox, from when it came first, and
/// gets every measurement of the channel from then on. A channel keeps its last measurements for clients that lost some. Thread-safe.
/// </summary>
public sealed class MeasurementFeed(TimeProvider time)
{
    private readonly ConcurrentDictionary<string, Inbox> _inboxes = new();
    private readonly ConcurrentDictionary<int, Channel> _channels = new();
    private long _dropped;

    /// <summary>Clients that did not poll for so long that their inbox was full.</summary>
    public long Dropped => Interlocked.Read(ref _dropped);

    /// <summary>The inbox of a client, new if it comes for the first time.</summary>
    /// <param name="after">
    /// The last measurement that the client has: the inbox then has all that came later, taken before or not, as far back as
    /// <see cref="Inbox.MaxMeasurements"/>. Null: the client does not say.
    /// </param>
    public Inbox Open(string client, int channel, int? after = null)
    {
        var sensor = _channels.GetOrAdd(channel, _ => new());
        var inbox = _inboxes.GetOrAdd(client, _ => sensor.Add(new Inbox(client, channel)));
        if (after is { } number)
            sensor.Refill(inbox, number);
        return inbox;
    }

    /// <summary>The client has left, and gets nothing more.</summary>
    public void Close(Inbox inbox)
    {
        _inboxes.TryRemove(inbox.Client, out _);
        if (_channels.TryGetValue(inbox.Channel, out var sensor))
            sensor.Remove(inbox);
        inbox.Close();
    }

    /// <summary>Stamps a measurement and puts it into the inboxes of the channel.</summary>
    public void Publish(int channel, int number)
    {
        if (!_channels.TryGetValue(channel, out var sensor))
            return;
        foreach (var full in sensor.Publish(number, Measurement.At(number, time.GetTimestamp(), time).Write()))
        {
            Close(full);
            Interlocked.Increment(ref _dropped);
        }
    }

    /// <summary>The clients of one sensor, and its last measurements.</summary>
    private sealed class Channel
    {
        private readonly Lock _lock = new();
        private readonly HashSet<Inbox> _inboxes = [];
        private readonly Queue<(int Number, byte[] Bytes)> _last = new();

        public Inbox Add(Inbox inbox)
        {
            lock (_lock)
                _inboxes.Add(inbox);
            return inbox;
        }

        public void Remove(Inbox inbox)
        {
            lock (_lock)
                _inboxes.Remove(inbox);
        }

        /// <summary>No measurement is published meanwhile, so that none is missed and none comes twice.</summary>
        public void Refill(Inbox inbox, int after)
        {
            lock (_lock)
                inbox.Fill([.. _last.Where(one => one.Number > after).Select(one => one.Bytes)]);
        }

        /// <returns>Those that are full.</returns>
        public IReadOnlyList<Inbox> Publish(int number, byte[] bytes)
        {
            lock (_lock)
            {
                if (_last.Count == Inbox.MaxMeasurements)
                    _last.Dequeue();
                _last.Enqueue((number, bytes));
                return [.. _inboxes.Where(inbox => !inbox.TryAdd(bytes))];
            }
        }
    }
}
