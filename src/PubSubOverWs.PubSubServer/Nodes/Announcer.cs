using System.Collections.Concurrent;
using System.Text.Json;
using System.Text.Json.Serialization;
using PubSubOverWs.Queues;
using PubSubOverWs.Relay;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// Announces to all nodes which queue destinations have a subscriber here, which also shows that this node is alive. A node that does not
/// hear its own announcements probably cannot read its queues either: it announces nothing to the others until it does, so that they take
/// over. Safe from any thread.
/// </summary>
internal sealed class Announcer
{
    /// <summary>Characters of names in one announcement: even if each were escaped, in six bytes, it stays below 256 KiB.</summary>
    private const int MaxCharacters = 40_000;

    private readonly NodeContext _node;
    private readonly Func<byte[], bool, Task<bool>> _tell;

    // An entry for each first or last subscriber of a destination since the last call, which takes 1,000. Nothing else bounds it.
    private readonly BatchLoop<(string Destination, bool Has)> _changes;

    // The state of each destination as announced last.
    private readonly ConcurrentDictionary<string, bool> _announced = new(StringComparer.Ordinal);
    private long _number;

    // Timestamps: when the last own announcement that came back was made, and when the first since the last gap came. 0: none came yet.
    private long _heardAt;
    private long _hearsSince;

    // A timestamp: the others have all that was sent until then.
    private long _toldAt;
    private readonly long _startedAt;

    /// <param name="tell">Sends an announcement to this node and, if the second argument is true, to the others; returns whether all have
    /// it. A failed one is made up for by the next announcement of everything.</param>
    public Announcer(NodeContext node, Func<byte[], bool, Task<bool>> tell)
    {
        _node = node;
        _tell = tell;
        _startedAt = _toldAt = _node.Time.GetTimestamp();
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

    /// <summary>This node's own announcement came back, on the way by which others get it.</summary>
    /// <param name="number">
    /// Of the announcement. It counts from when it was made: one from before this process stood still says nothing of now.
    /// </param>
    public void HeardOwn(long number)
    {
        if (HearsFor == TimeSpan.Zero)
            Volatile.Write(ref _hearsSince, _node.Time.GetTimestamp());
        Raise(ref _heardAt, number);
    }

    /// <summary>
    /// For how long this node has heard its own announcements without a gap, and so would have heard those of others; zero: it hears none
    /// at present.
    /// </summary>
    public TimeSpan HearsFor => Volatile.Read(ref _heardAt) is var heardAt && heardAt != 0
        && _node.Time.GetElapsedTime(heardAt) < _node.Options.DeadAfter
        ? _node.Time.GetElapsedTime(Volatile.Read(ref _hearsSince)) + TimeSpan.FromTicks(1)
        : TimeSpan.Zero;

    /// <summary>
    /// For how long the others may not have heard this node, at most: since it sent what the last of them got, or since it started.
    /// </summary>
    public TimeSpan SilentFor => _node.Time.GetElapsedTime(Volatile.Read(ref _toldAt));

    /// <summary>
    /// It hears itself, and the others have what it said lately: none takes it for dead, and what it knows of them is no older. While it is
    /// not so, its queue and those that it knows of may be about to be deleted.
    /// </summary>
    public bool IsHeard => HearsFor > TimeSpan.Zero && SilentFor < _node.Options.DeadAfter;

    private bool HearsNothing => _node.Time.GetElapsedTime(Math.Max(_startedAt, Volatile.Read(ref _heardAt))) >= _node.Options.DeadAfter;

    /// <summary>Announces everything at once and then at intervals, and at the end that this node leaves.</summary>
    public async Task RunAsync(CancellationToken stopping)
    {
        using var timer = new PeriodicTimer(_node.Options.AnnounceEvery, _node.Time);
        try
        {
            do
                await TellAllAsync();
            while (await timer.WaitForNextTickAsync(stopping));
        }
        catch (OperationCanceledException) when (stopping.IsCancellationRequested)
        {
            // The server stops.
        }
        await _changes.IdleAsync();
        await _tell(Announce(NextNumber(), part: 0, parts: 1, [], [], leaves: true).Write(), true);
    }

    /// <summary>Announces everything once.</summary>
    public async Task TellAllAsync()
    {
        var othersToo = !HearsNothing;
        // The number comes first: later changes have higher ones.
        var number = NextNumber();
        var present = _node.Subscriptions.Destinations.Where(DestinationName.IsQueue).ToHashSet(StringComparer.Ordinal);
        foreach (var gone in _announced.Keys.Where(name => !present.Contains(name)))
            _announced.TryRemove(gone, out _);
        foreach (var name in present)
            _announced.TryAdd(name, true);
        var parts = Cut(present);
        for (var part = 0; part < parts.Count; part++)
        {
            await TellAsync(Announce(number, part, parts.Count, parts[part], []), othersToo);
        }
    }

    // Any part shows that this node is alive: all of them may take long.
    private async Task TellAsync(Announcement announcement, bool othersToo)
    {
        var began = _node.Time.GetTimestamp();
        if (await _tell(announcement.Write(), othersToo) && othersToo)
            Raise(ref _toldAt, began);
    }

    private Task TellChangesAsync(IReadOnlyList<(string Destination, bool Has)> changes)
    {
        // Only the latest change of each.
        var last = new Dictionary<string, bool>(StringComparer.Ordinal);
        foreach (var (destination, has) in changes)
            last[destination] = has;
        string[] Those(bool has) => [.. last.Where(change => change.Value == has).Select(change => change.Key)];
        return TellAsync(Announce(NextNumber(), part: 0, parts: 0, Those(true), Those(false)), !HearsNothing);
    }

    private Announcement Announce(
        long number, int part, int parts, IReadOnlyList<string> has, IReadOnlyList<string> hasNoMore, bool leaves = false) =>
        new(_node.Queues.Node, _node.Queues.Own.Url, number, part, parts, has, hasNoMore, leaves);

    private long NextNumber()
    {
        while (true)
        {
            var last = Volatile.Read(ref _number);
            var next = Math.Max(last + 1, _node.Time.GetTimestamp());
            if (Interlocked.CompareExchange(ref _number, next, last) == last)
                return next;
        }
    }

    private static void Raise(ref long timestamp, long to)
    {
        for (var last = Volatile.Read(ref timestamp); to > last; last = Volatile.Read(ref timestamp))
            Interlocked.CompareExchange(ref timestamp, to, last);
    }

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

/// <summary>
/// A message of a node to all others, through queues of its own so that no messages delay it: which <c>/queue/</c> destinations have a
/// subscriber there. It announces each change, and everything at intervals, so that a lost or late announcement does no lasting harm. An
/// announcement also shows that its node is alive.
/// </summary>
/// <param name="Number">
/// When it was made, a timestamp of the node's clock, and higher than that of its last: of two that disagree, the higher one is right.
/// </param>
/// <param name="Part">From 0: which part of the whole this is.</param>
/// <param name="Parts">How many parts the whole has, all of the same number; 0: this is a change.</param>
/// <param name="Has">Destinations with a subscriber.</param>
/// <param name="HasNoMore">Destinations without, which had one.</param>
/// <param name="Leaves">The node stops, and others take over its queue.</param>
internal sealed record Announcement(
    string Node, string QueueUrl, long Number, int Part, int Parts, IReadOnlyList<string> Has, IReadOnlyList<string> HasNoMore, bool Leaves)
{
    public byte[] Write() => JsonSerializer.SerializeToUtf8Bytes(this, AnnouncementJson.Default.Announcement);

    /// <returns>Null: it is something else.</returns>
    public static Announcement? TryRead(ReadOnlySpan<byte> body)
    {
        try
        {
            return JsonSerializer.Deserialize(body, AnnouncementJson.Default.Announcement);
        }
        catch (JsonException)
        {
            return null;
        }
    }
}

[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, RespectNullableAnnotations = true, RespectRequiredConstructorParameters = true)]
[JsonSerializable(typeof(Announcement))]
internal sealed partial class AnnouncementJson : JsonSerializerContext;
