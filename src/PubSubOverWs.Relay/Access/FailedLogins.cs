using System.Net;

namespace PubSubOverWs.Relay;

/// <summary>Wrong logins by address, so that nobody can try passcodes for long. It remembers a bounded number of addresses; the oldest is forgotten first.</summary>
/// <param name="most">Wrong logins after which an address is locked out; 0: none is.</param>
/// <param name="lockOut">Counted from the last.</param>
internal sealed class FailedLogins(int most, TimeSpan lockOut, TimeProvider time)
{
    public const int MostAddresses = 10_000;

    private readonly Lock _gate = new();
    private readonly Dictionary<IPAddress, (int Count, long Last)> _failed = [];
    private readonly Queue<IPAddress> _oldest = [];

    /// <summary>How long the address is still locked out; zero: it is not.</summary>
    public TimeSpan LockedOut(IPAddress address)
    {
        if (most == 0)
            return TimeSpan.Zero;
        lock (_gate)
        {
            if (!_failed.TryGetValue(address, out var failed) || failed.Count < most)
                return TimeSpan.Zero;
            var left = lockOut - time.GetElapsedTime(failed.Last);
            return left > TimeSpan.Zero ? left : TimeSpan.Zero;
        }
    }

    public void Add(IPAddress address)
    {
        if (most == 0)
            return;
        lock (_gate)
        {
            if (!_failed.TryGetValue(address, out var failed))
                Remember(address);
            else if (time.GetElapsedTime(failed.Last) >= lockOut)
                failed.Count = 0;
            _failed[address] = (failed.Count + 1, time.GetTimestamp());
        }
    }

    private void Remember(IPAddress address)
    {
        _oldest.Enqueue(address);
        if (_oldest.Count > MostAddresses)
            _failed.Remove(_oldest.Dequeue());
    }
}
