using System.Collections.Concurrent;
using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// Tells all nodes which queue destinations have a subscriber here, and by that, that this node lives. A node that does not hear what it
/// tells itself cannot read its queues either, as far as it knows: it tells the others nothing until it does, so that they take over. Safe
/// from any thread.
/// </summary>
internal sealed class Announcer
{
    /// <summary>Characters of names in one announcement: even if each were escaped, in six bytes, it stays below 256 KiB.</summary>
    private const int MaxCharacters = 40_000;

    private readonly NodeQueues _queues;
    private readonly Subscriptions _subscriptions;
    private readonly Func<byte[], bool, Task<bool>> _tell;
    private readonly NodeOptions _options;
    private readonly TimeProvider _time;
    private readonly BatchLoop<(string Destination, bool Has)> _changes;

    // What was announced last.
    private readonly ConcurrentDictionary<string, bool> _announced = new(StringComparer.Ordinal);
    private long _number;

    // Timestamps: of the last own announcement that came back, and of the first after which none was missing. 0: none came back yet.
    private long _heardAt;
    private long _hearsSince;

    // A timestamp: all others had what was sent then.
    private long _toldAt;
    private readonly long _startedAt;

    /// <param name="queues">Those of this node.</param>
    /// <param name="subscriptions">Of this node.</param>
    /// <param name="tell">Sends an announcement to this node, and to the others if that is wished, and says whether all have it; what fails
    /// is said again with the next whole.</param>
    /// <param name="options">How often to say everything, and how long a node may be silent.</param>
    /// <param name="time">Measures both.</param>
    public Announcer(
        NodeQueues queues, Subscriptions subscriptions, Func<byte[], bool, Task<bool>> tell, NodeOptions options, TimeProvider time)
    {
        _queues = queues;
        _subscriptions = subscriptions;
        _tell = tell;
        _options = options;
        _time = time;
        _startedAt = _toldAt = time.GetTimestamp();
        _changes = new(callsAtOnce: 1, TellChangesAsync)
        { MaxEntries = 1_000, MaxBytes = MaxCharacters, SizeOf = change => change.Destination.Length };
    }

    /// <summary>There is a subscriber. Cheap when that was announced already.</summary>
    public void Gained(string destination)
    {
        if (DestinationName.IsQueue(destination) && _announced.TryAdd(destination, true))
            _changes.Add((destination, true));
    }

    /// <summary>There is no subscriber. Cheap when nothing else was announced.</summary>
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
    /// For how long this node has heard its own announcements without a gap, and so would have heard those of others; zero: it hears
    /// nothing at present.
    /// </summary>
    public TimeSpan HearsFor => Volatile.Read(ref _heardAt) is var heardAt && heardAt != 0
        && _time.GetElapsedTime(heardAt) < _options.DeadAfter
        ? _time.GetElapsedTime(Volatile.Read(ref _hearsSince)) + TimeSpan.FromTicks(1)
        : TimeSpan.Zero;

    /// <summary>
    /// For how long the others may not have heard this node, at most: since it sent what the last of them got, or since it started.
    /// </summary>
    public TimeSpan SilentFor => _time.GetElapsedTime(Volatile.Read(ref _toldAt));

    private bool IsDeaf => _time.GetElapsedTime(Math.Max(_startedAt, Volatile.Read(ref _heardAt))) >= _options.DeadAfter;

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
        await _tell(new Announcement(_queues.Node, _queues.Own.Url, NextNumber(), Part: 0, Parts: 1, [], [], Leaves: true).Write(), true);
    }

    /// <summary>Says everything once.</summary>
    public async Task TellAllAsync()
    {
        var othersToo = !IsDeaf;
        // The number first: what happens after it has a higher one of its own.
        var number = NextNumber();
        var present = _subscriptions.Destinations.Where(DestinationName.IsQueue).ToHashSet(StringComparer.Ordinal);
        foreach (var gone in _announced.Keys.Where(name => !present.Contains(name)))
            _announced.TryRemove(gone, out _);
        foreach (var name in present)
            _announced.TryAdd(name, true);
        var parts = Cut(present);
        for (var part = 0; part < parts.Count; part++)
        {
            var announcement = new Announcement(_queues.Node, _queues.Own.Url, number, part, parts.Count, parts[part], [], Leaves: false);
            await TellAsync(announcement, othersToo);
        }
    }

    // To hear any of them is to hear that this node lives: the whole of it may take long to say.
    private async Task TellAsync(Announcement announcement, bool othersToo)
    {
        var began = _time.GetTimestamp();
        if (!await _tell(announcement.Write(), othersToo) || !othersToo)
            return;
        for (var last = Volatile.Read(ref _toldAt); began > last; last = Volatile.Read(ref _toldAt))
            Interlocked.CompareExchange(ref _toldAt, began, last);
    }

    private Task TellChangesAsync(IReadOnlyList<(string Destination, bool Has)> changes)
    {
        // The last word on each.
        var last = new Dictionary<string, bool>(StringComparer.Ordinal);
        foreach (var (destination, has) in changes)
            last[destination] = has;
        string[] Those(bool has) => [.. last.Where(change => change.Value == has).Select(change => change.Key)];
        var number = NextNumber();
        var announcement = new Announcement(
            _queues.Node, _queues.Own.Url, number, Part: 0, Parts: 0, Those(true), Those(false), Leaves: false);
        return TellAsync(announcement, !IsDeaf);
    }

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
