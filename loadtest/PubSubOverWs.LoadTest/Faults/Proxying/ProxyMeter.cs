namespace PubSubOverWs.LoadTest.Faults.Proxying;

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
