namespace PubSubOverWs.LoadTest.Harness.Network.Proxy;

/// <summary>Counts connections and bytes. Thread-safe.</summary>
public sealed class ProxyMeter
{
    private readonly long[] _ended = new long[Enum.GetValues<Ending>().Length];
    private long _accepted;
    private long _refused;
    private long _unreachable;
    private long _bytesToServer;
    private long _bytesToClient;

    public void Accepted() => Interlocked.Increment(ref _accepted);

    public void Refused() => Interlocked.Increment(ref _refused);

    public void Unreachable() => Interlocked.Increment(ref _unreachable);

    public void Ended(Ending ending) => Interlocked.Increment(ref _ended[(int)ending]);

    public void ToServer(int bytes) => Interlocked.Add(ref _bytesToServer, bytes);

    public void ToClient(int bytes) => Interlocked.Add(ref _bytesToClient, bytes);

    public ProxyCounts Counts(int open) => new(
        open, Volatile.Read(ref _accepted), Volatile.Read(ref _refused), Volatile.Read(ref _unreachable),
        Of(Ending.Closed), Of(Ending.Broken), Of(Ending.Limited), Of(Ending.Reset), Of(Ending.Cut),
        Volatile.Read(ref _bytesToServer), Volatile.Read(ref _bytesToClient));

    private long Of(Ending ending) => Volatile.Read(ref _ended[(int)ending]);
}

/// <summary>How a proxied connection ended.</summary>
public enum Ending
{
    /// <summary>Both sides had finished.</summary>
    Closed,

    /// <summary>One side reset it or disappeared; the other side was reset.</summary>
    Broken,

    /// <summary>A limit was reached.</summary>
    Limited,

    /// <summary>A toxic reset it.</summary>
    Reset,

    /// <summary>It was cut on demand, or the proxy stopped.</summary>
    Cut,
}

/// <summary>The counts of a proxy since it started: connections, those that ended by <see cref="Ending"/>, and written bytes.</summary>
/// <param name="Open">Currently open connections.</param>
/// <param name="Refused">Reset because of the limit on connections. Those that found no listener are not counted.</param>
/// <param name="Unreachable">Reset because the server did not accept the connection to it.</param>
public sealed record ProxyCounts(
    int Open, long Accepted, long Refused, long Unreachable, long Closed, long Broken, long Limited, long Reset, long Cut,
    long BytesToServer, long BytesToClient);
