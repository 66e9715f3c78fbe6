namespace PubSubOverWs.Relay;

/// <summary>
/// Memory that several deliveries keep together, such as the envelope that brought them: it is free when the last of them is settled. It
/// counts once, for one of the connections that have a delivery of it and have not settled it; when that one has settled its own, for
/// another that has not. Safe from any thread.
/// </summary>
/// <param name="bytes">What it takes.</param>
public sealed class KeptMemory(long bytes)
{
    private readonly Lock _lock = new();
    private Keeper? _counted;

    // A keeper for each delivery beside the one that counts; null where there was only ever one.
    private List<Keeper>? _others;

    /// <summary>What it takes.</summary>
    internal long Bytes => bytes;

    /// <summary>It counts for somebody already: one more delivery takes nothing more.</summary>
    internal bool IsCounted
    {
        get
        {
            lock (_lock)
                return _counted is not null;
        }
    }

    internal void Enter(Given given, GivenShare destination)
    {
        var keeper = new Keeper(given, destination);
        lock (_lock)
        {
            if (_counted is not null)
            {
                (_others ??= []).Add(keeper);
                return;
            }
            _counted = keeper;
            keeper.Count(bytes);
        }
    }

    internal void Leave(Given given, GivenShare destination)
    {
        var keeper = new Keeper(given, destination);
        lock (_lock)
        {
            // Those of the one that counts first, so that it counts on for as long as it has any.
            if (_others?.LastIndexOf(keeper) is >= 0 and var at)
            {
                _others[at] = _others[^1];
                _others.RemoveAt(_others.Count - 1);
                return;
            }
            keeper.Count(-bytes);
            _counted = null;
            if (_others is not { Count: > 0 })
                return;
            _counted = _others[^1];
            _others.RemoveAt(_others.Count - 1);
            _counted.Value.Count(bytes);
        }
    }

    private readonly record struct Keeper(Given Given, GivenShare Destination)
    {
        public void Count(long bytes) => Given.CountBytes(Destination, bytes);
    }
}
