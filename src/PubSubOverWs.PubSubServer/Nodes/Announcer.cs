using System.Collections.Concurrent;
using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>Tells all nodes which queue destinations have a subscriber here. Safe from any thread.</summary>
internal sealed class Announcer
{
    /// <summary>Characters of names in one announcement: even if each were escaped, in six bytes, it stays below what SNS takes, 256 KiB.</summary>
    private const int MaxCharacters = 40_000;

    private readonly NodeQueues _queues;
    private readonly Subscriptions _subscriptions;
    private readonly Func<byte[], Task> _publish;
    private readonly Func<Task> _subscribe;
    private readonly NodeOptions _options;
    private readonly TimeProvider _time;
    private readonly BatchLoop<(string Destination, bool Has)> _changes;

    // What was said last.
    private readonly ConcurrentDictionary<string, bool> _announced = new(StringComparer.Ordinal);
    private long _number;

    // Timestamps: of the last own announcement that came back, and of the first after which none was missing. 0: none came back yet.
    private long _heardAt;
    private long _hearsSince;
    private long _askedAt;

    /// <param name="queues">Those of this node.</param>
    /// <param name="subscriptions">Of this node.</param>
    /// <param name="publish">Sends an announcement to all nodes; what fails is said again with the next whole.</param>
    /// <param name="subscribe">Subscribes this node's queues to their topics again.</param>
    /// <param name="options">How often to say everything, and how long a node may be silent.</param>
    /// <param name="time">Measures both.</param>
    public Announcer(
        NodeQueues queues, Subscriptions subscriptions, Func<byte[], Task> publish, Func<Task> subscribe, NodeOptions options, TimeProvider time)
    {
        _queues = queues;
        _subscriptions = subscriptions;
        _publish = publish;
        _subscribe = subscribe;
        _options = options;
        _time = time;
        _askedAt = time.GetTimestamp();
        _changes = new(callsAtOnce: 1, TellChangesAsync) { MaxEntries = 1_000, MaxBytes = MaxCharacters, SizeOf = change => change.Destination.Length };
    }

    /// <summary>There is a subscriber. Cheap when that was said already.</summary>
    public void Gained(string destination)
    {
        if (DestinationName.IsQueue(destination) && _announced.TryAdd(destination, true))
            _changes.Add((destination, true));
    }

    /// <summary>There is no subscriber. Cheap when nothing else was said.</summary>
    public void Lost(string destination)
    {
        if (_announced.TryRemove(destination, out _))
            _changes.Add((destination, false));
    }

    /// <summary>This node's own announcement came back, as it comes to the others.</summary>
    public void HeardOwn()
    {
        var now = _time.GetTimestamp();
        if (HearsFor == TimeSpan.Zero)
            Volatile.Write(ref _hearsSince, now);
        Volatile.Write(ref _heardAt, now);
    }

    /// <summary>
    /// For how long this node has heard its own announcements without a gap, and so would have heard those of others; zero: it hears nothing at present.
    /// </summary>
    public TimeSpan HearsFor => Volatile.Read(ref _heardAt) is var heardAt && heardAt != 0 && _time.GetElapsedTime(heardAt) < _options.DeadAfter
        ? _time.GetElapsedTime(Volatile.Read(ref _hearsSince)) + TimeSpan.FromTicks(1)
        : TimeSpan.Zero;

    /// <summary>Says everything at once and then at intervals; at the end, that this node leaves.</summary>
    public async Task RunAsync(CancellationToken stopping)
    {
        using var timer = new PeriodicTimer(_options.AnnounceEvery, _time);
        try
        {
            do
                await TellAllAsync();
            while (await timer.WaitForNextTickAsync(stopping));
        }
        catch (OperationCanceledException) when (stopping.IsCancellationRequested)
        {
        }
        await _changes.IdleAsync();
        await TellAsync(new Announcement(_queues.Node, _queues.Own.Url, NextNumber(), Part: 0, Parts: 1, [], [], Leaves: true));
    }

    private async Task TellAllAsync()
    {
        // Others may have taken it for dead, and its queue from the topic.
        if (HearsFor == TimeSpan.Zero && _time.GetElapsedTime(_askedAt) >= _options.DeadAfter)
        {
            _askedAt = _time.GetTimestamp();
            await _subscribe();
        }
        // The number first: what happens after it has a higher one of its own.
        var number = NextNumber();
        var present = _subscriptions.Destinations.Where(DestinationName.IsQueue).ToHashSet(StringComparer.Ordinal);
        foreach (var gone in _announced.Keys.Where(name => !present.Contains(name)))
            _announced.TryRemove(gone, out _);
        foreach (var name in present)
            _announced.TryAdd(name, true);
        var parts = Cut(present);
        for (var part = 0; part < parts.Count; part++)
            await TellAsync(new Announcement(_queues.Node, _queues.Own.Url, number, part, parts.Count, parts[part], [], Leaves: false));
    }

    private Task TellChangesAsync(IReadOnlyList<(string Destination, bool Has)> changes)
    {
        // The last word on each.
        var last = new Dictionary<string, bool>(StringComparer.Ordinal);
        foreach (var (destination, has) in changes)
            last[destination] = has;
        string[] Those(bool has) => [.. last.Where(change => change.Value == has).Select(change => change.Key)];
        return TellAsync(new Announcement(_queues.Node, _queues.Own.Url, NextNumber(), Part: 0, Parts: 0, Those(true), Those(false), Leaves: false));
    }

    private Task TellAsync(Announcement announcement) => _publish(announcement.Write());

    private long NextNumber() => Interlocked.Increment(ref _number);

    private static List<List<string>> Cut(IEnumerable<string> names)
    {
        List<List<string>> parts = [[]];
        var characters = 0;
        foreach (var name in names)
        {
            if (characters + name.Length > MaxCharacters && parts[^1].Count > 0)
            {
                parts.Add([]);
                characters = 0;
            }
            parts[^1].Add(name);
            characters += name.Length;
        }
        return parts;
    }
}
