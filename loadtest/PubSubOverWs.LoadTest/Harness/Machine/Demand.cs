namespace PubSubOverWs.LoadTest.Harness.Machine;

/// <summary>The needs of a run.</summary>
/// <param name="MaxUsers">The most users of any level.</param>
/// <param name="Pinned">Server on one core, load and queue on the other.</param>
/// <param name="LoopbackOnly">All targets are loopback addresses, so that clients may bind to several source addresses.</param>
/// <param name="StartsServers">The run starts servers of its own.</param>
public sealed record Demand(int MaxUsers, bool Pinned, bool LoopbackOnly, bool StartsServers)
{
    private const int Spare = 256;

    private const long IdleRuntime = 160L << 20;

    /// <summary>1, or 2 in the workload pairs.</summary>
    public int ConnectionsPerUser { get; init; } = 1;

    /// <summary>What the record takes on disk, estimated.</summary>
    public long RecordBytes { get; init; }

    /// <summary>The record is there, and is resumed where it is.</summary>
    public bool Resumes { get; init; }

    /// <summary>The clients are in a browser.</summary>
    public bool Browser { get; init; }

    /// <summary>Load processes that share the clients; 1: the load runner has them.</summary>
    public int Workers { get; init; } = 1;

    /// <summary>Load processes may share the clients.</summary>
    public bool MayHaveWorkers { get; init; }

    /// <summary>The fewest servers that share the connections of an arm, of those that the run starts.</summary>
    public int Servers { get; init; } = 1;

    /// <summary>How to ask for fewer users, behind "or".</summary>
    public string Fewer { get; init; } = ScenarioKind.FewerUsers;

    /// <summary>Connections that are open at once.</summary>
    public int MaxConnections => MaxUsers * ConnectionsPerUser;

    /// <summary>
    /// Of the process with the most. A connection takes one descriptor in the process that has its client and one in the server; the rest
    /// is for files, pipes and the queue.
    /// </summary>
    public int Descriptors => Math.Max(DescriptorsOf(Workers), StartsServers ? DescriptorsOf(Servers) : 0);

    /// <summary>For all processes together: three idle runtimes and one for each load process, and both ends of each connection.</summary>
    public long MemoryBytes => (512L << 20) + (Workers == 1 ? 0 : Workers * IdleRuntime) + MaxConnections * (96L << 10);

    /// <summary>How many load processes are enough where a process may have so many descriptors; null: no number of them is.</summary>
    public int? WorkersFor(long descriptors)
    {
        if (!MayHaveWorkers || descriptors <= Spare || (StartsServers && DescriptorsOf(Servers) > descriptors))
            return null;
        var workers = (MaxConnections + descriptors - Spare - 1) / (descriptors - Spare);
        return workers <= Scenario.MaxWorkers ? (int)workers : null;
    }

    /// <summary>Of a process that has so many connections.</summary>
    public static int DescriptorsFor(int connections) => connections + Spare;

    private int DescriptorsOf(int processes) => DescriptorsFor((MaxConnections + processes - 1) / processes);
}
