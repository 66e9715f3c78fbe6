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

/// <summary>Measurements that one client has not taken yet. Thread-safe, with one taker at a time.</summary>
public sealed class Inbox(string client, int channel)
{
    /// <summary>17 min at 4 a second.</summary>
    public const int MostMeasurements = 4096;

    private readonly Lock _lock = new();
    private List<byte[]> _kept = [];
    private TaskCompletionSource? _wanted;
    private bool _closed;

    public string Client => client;

    public int Channel => channel;

    /// <summary>The client has left, or was dropped.</summary>
    public bool IsClosed
    {
        get
        {
            lock (_lock)
                return _closed;
        }
    }

    /// <summary>Never waits. False: it is full.</summary>
    public bool TryAdd(byte[] measurement)
    {
        TaskCompletionSource? wanted;
        lock (_lock)
        {
            if (_kept.Count == MostMeasurements)
                return false;
            _kept.Add(measurement);
            (wanted, _wanted) = (_wanted, null);
        }
        wanted?.SetResult();
        return true;
    }

    public void Close()
    {
        TaskCompletionSource? wanted;
        lock (_lock)
        {
            _closed = true;
            (wanted, _wanted) = (_wanted, null);
        }
        wanted?.SetResult();
    }

    /// <summary>
    /// All that was not taken yet, at once if there is something, else after a wait. Empty: nothing came, or it was closed.
    /// </summary>
    /// <param name="wait">0: it does not wait; infinite: until something comes.</param>
    public async ValueTask<IReadOnlyList<byte[]>> TakeAsync(TimeSpan wait, TimeProvider time, CancellationToken cancellationToken)
    {
        if (wait != TimeSpan.Zero && Wanted() is { } wanted)
            await wanted.WaitAsync(wait, time, cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        cancellationToken.ThrowIfCancellationRequested();
        lock (_lock)
        {
            _wanted = null;
            if (_kept.Count == 0)
                return [];
            var taken = _kept;
            _kept = [];
            return taken;
        }
    }

    // Null: there is something, or nothing will come.
    private Task? Wanted()
    {
        lock (_lock)
            return _kept.Count > 0 || _closed
                ? null
                : (_wanted = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
    }
}
