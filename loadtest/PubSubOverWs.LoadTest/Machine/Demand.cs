namespace PubSubOverWs.LoadTest.Machine;

/// <summary>What a run asks of the machine.</summary>
/// <param name="MostUsers">The highest level.</param>
/// <param name="Pinned">Server on one core, load and queue on the other.</param>
/// <param name="LoopbackOnly">All targets are loopback addresses, so that clients may bind to source addresses of their own.</param>
/// <param name="StartsServers">The run starts servers of its own.</param>
public sealed record Demand(int MostUsers, bool Pinned, bool LoopbackOnly, bool StartsServers)
{
    /// <summary>1, or in the workload pairs 2.</summary>
    public int ConnectionsPerUser { get; init; } = 1;

    /// <summary>So many are open at once.</summary>
    public int MostConnections => MostUsers * ConnectionsPerUser;

    /// <summary>
    /// A connection takes one descriptor in the load runner and one in the server; the rest is files, pipes and the queue's connections.
    /// </summary>
    public int Descriptors => MostConnections + 256;

    /// <summary>Runner, server and queue together: what three runtimes take at rest, and what a connection takes on both ends.</summary>
    public long MemoryBytes => (512L << 20) + MostConnections * (96L << 10);
}
