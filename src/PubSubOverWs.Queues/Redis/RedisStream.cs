using System.Collections.Concurrent;
using StackExchange.Redis;

namespace PubSubOverWs.Queues;

/// <summary>What this client knows of one stream. Safe from any thread.</summary>
internal sealed class RedisStream(string key)
{
    // Beyond that a message comes again after its visibility, and so too early.
    private const int MaxLater = 10_000;

    private readonly ConcurrentDictionary<string, DateTimeOffset> _later = new(StringComparer.Ordinal);
    private long _claimAt;
    private long _visibility = TimeSpan.FromSeconds(30).Ticks;

    public RedisKey Key { get; } = key;

    /// <summary>How long a message is hidden from others after it was received, as the latest receive said.</summary>
    public TimeSpan Visibility
    {
        get => new(Volatile.Read(ref _visibility));
        set => Volatile.Write(ref _visibility, value.Ticks);
    }

    /// <summary>Whether it is time to look for messages that come again; then the next time is <paramref name="every"/> later.</summary>
    public bool MayClaim(TimeProvider time, TimeSpan every)
    {
        var now = time.GetTimestamp();
        var at = Volatile.Read(ref _claimAt);
        return now >= at
            && Interlocked.CompareExchange(ref _claimAt, now + (long)(every.TotalSeconds * time.TimestampFrequency), at) == at;
    }

    /// <summary>The next look is at that time.</summary>
    public void ClaimsAt(long timestamp) => Volatile.Write(ref _claimAt, timestamp);

    /// <summary>Messages are to be hidden for a time from now on, perhaps for longer than a message can be pending.</summary>
    public void ComesBack(IEnumerable<string> ids, TimeSpan hidden, DateTimeOffset now, long timestamp)
    {
        foreach (var id in ids)
        {
            if (hidden <= Visibility)
                _later.TryRemove(id, out _);
            else if (_later.Count < MaxLater || ForgetOverdue(now))
                _later[id] = now + hidden;
        }
        if (hidden == TimeSpan.Zero)
            ClaimsAt(timestamp);
    }

    /// <summary>When the message is due that was hidden for longer than a message can be pending; null: no other time is known.</summary>
    public DateTimeOffset? Due(string id) => _later.TryGetValue(id, out var due) ? due : null;

    public void Forget(IEnumerable<string> ids)
    {
        if (_later.IsEmpty)
            return;
        foreach (var id in ids)
            _later.TryRemove(id, out _);
    }

    // Others have settled them, or they have come again.
    private bool ForgetOverdue(DateTimeOffset now)
    {
        foreach (var (id, due) in _later)
        {
            if (due <= now)
                _later.TryRemove(id, out _);
        }
        return _later.Count < MaxLater;
    }
}
