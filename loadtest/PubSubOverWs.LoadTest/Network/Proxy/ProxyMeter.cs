namespace PubSubOverWs.LoadTest.Network.Proxy;

/// <summary>Counts, from any thread.</summary>
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

    /// <param name="open">Connections that are there now.</param>
    public ProxyCounts Counts(int open) => new(
        open,
        Volatile.Read(ref _accepted),
        Volatile.Read(ref _refused),
        Volatile.Read(ref _unreachable),
        Of(Ending.Closed),
        Of(Ending.Broken),
        Of(Ending.Limited),
        Of(Ending.Reset),
        Of(Ending.Cut),
        Volatile.Read(ref _bytesToServer),
        Volatile.Read(ref _bytesToClient));

    private long Of(Ending ending) => Volatile.Read(ref _ended[(int)ending]);
}

/// <summary>How a proxied connection ended.</summary>
public enum Ending
{
    /// <summary>Both sides had said all they had to say.</summary>
    Closed,

    /// <summary>A side reset it or was gone; the other side was reset.</summary>
    Broken,

    /// <summary>A limit was reached.</summary>
    Limited,

    /// <summary>A toxic reset it.</summary>
    Reset,

    /// <summary>It was cut on demand, or the proxy stopped.</summary>
    Cut,
}

/// <summary>What a proxy has counted since it began.</summary>
/// <param name="Open">Connections that are there now.</param>
/// <param name="Accepted">Connections that were taken.</param>
/// <param name="Refused">Connections that were reset because there were as many as the proxy takes. Those that found no listener are not
/// seen here.</param>
/// <param name="Unreachable">Connections that were reset because the server did not take theirs.</param>
/// <param name="Closed">Ended as <see cref="Ending.Closed"/>.</param>
/// <param name="Broken">Ended as <see cref="Ending.Broken"/>.</param>
/// <param name="Limited">Ended as <see cref="Ending.Limited"/>.</param>
/// <param name="Reset">Ended as <see cref="Ending.Reset"/>.</param>
/// <param name="Cut">Ended as <see cref="Ending.Cut"/>.</param>
/// <param name="BytesToServer">Written to the server.</param>
/// <param name="BytesToClient">Written to clients.</param>
public sealed record ProxyCounts(
    int Open, long Accepted, long Refused, long Unreachable, long Closed, long Broken, long Limited, long Reset, long Cut,
    long BytesToServer, long BytesToClient);
