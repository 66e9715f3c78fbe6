namespace PubSubOverWs.Relay;

/// <summary>
/// Counts failed logins by address or by user, so that passcodes cannot be guessed. It remembers a bounded number of keys; the oldest is
/// forgotten first.
/// </summary>
/// <typeparam name="TKey">The address or the user.</typeparam>
/// <param name="max">Failed logins after which a key is locked out; 0: none is.</param>
/// <param name="lockOut">How long, counted from the last failed login.</param>
internal sealed class FailedLogins<TKey>(int max, TimeSpan lockOut, TimeProvider time)
    where TKey : notnull
{
    public const int MaxKnown = 10_000;

    private readonly Lock _gate = new();
    private readonly Dictionary<TKey, (int Count, long Last)> _failed = [];
    private readonly Queue<TKey> _oldest = [];

    /// <summary>For how much longer the key is locked out; zero: it is not.</summary>
    public TimeSpan LockedOut(TKey key)
    {
        if (max == 0)
            return TimeSpan.Zero;
        lock (_gate)
        {
            if (!_failed.TryGetValue(key, out var failed) || failed.Count < max)
                return TimeSpan.Zero;
            var left = lockOut - time.GetElapsedTime(failed.Last);
            return left > TimeSpan.Zero ? left : TimeSpan.Zero;
        }
    }

    public void Add(TKey key)
    {
        if (max == 0)
            return;
        lock (_gate)
        {
            if (!_failed.TryGetValue(key, out var failed))
                Remember(key);
            else if (time.GetElapsedTime(failed.Last) >= lockOut)
                failed.Count = 0;
            _failed[key] = (failed.Count + 1, time.GetTimestamp());
        }
    }

    private void Remember(TKey key)
    {
        _oldest.Enqueue(key);
        if (_oldest.Count > MaxKnown)
            _failed.Remove(_oldest.Dequeue());
    }
}
