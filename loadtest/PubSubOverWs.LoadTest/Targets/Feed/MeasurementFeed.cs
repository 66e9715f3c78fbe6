using System.Collections.Concurrent;

namespace PubSubOverWs.LoadTest.Targets.Feed;

/// <summary>
/// Sensors and those that receive what they measure. A sensor has a channel; each of its clients has an inbox, from when it came first, and
/// gets every measurement of the channel from then on. Thread-safe.
/// </summary>
public sealed class MeasurementFeed(TimeProvider time)
{
    private readonly ConcurrentDictionary<string, Inbox> _inboxes = new();
    private readonly ConcurrentDictionary<int, ConcurrentDictionary<Inbox, bool>> _channels = new();
    private long _dropped;

    /// <summary>Clients that did not poll for so long that their inbox was full.</summary>
    public long Dropped => Interlocked.Read(ref _dropped);

    /// <summary>The inbox of a client, new if it comes for the first time.</summary>
    public Inbox Open(string client, int channel) => _inboxes.GetOrAdd(client, _ =>
    {
        var inbox = new Inbox(client, channel);
        _channels.GetOrAdd(channel, _ => new())[inbox] = true;
        return inbox;
    });

    /// <summary>The client has left, and gets nothing more.</summary>
    public void Close(Inbox inbox)
    {
        _inboxes.TryRemove(inbox.Client, out _);
        if (_channels.TryGetValue(inbox.Channel, out var clients))
            clients.TryRemove(inbox, out _);
        inbox.Close();
    }

    /// <summary>Stamps a measurement and puts it into the inboxes of the channel.</summary>
    public void Publish(int channel, int number)
    {
        if (!_channels.TryGetValue(channel, out var clients))
            return;
        var measurement = Measurement.At(number, time.GetTimestamp(), time).Write();
        foreach (var inbox in clients.Keys)
        {
            if (inbox.TryAdd(measurement))
                continue;
            Close(inbox);
            Interlocked.Increment(ref _dropped);
        }
    }
}
