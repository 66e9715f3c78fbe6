namespace PubSubOverWs.LoadTest.Machine;

/// <summary>What one check found.</summary>
/// <param name="Level">What it means for a run.</param>
/// <param name="Name">What was looked at, one word.</param>
/// <param name="Text">What is there, beside what is needed.</param>
/// <param name="Mend">What to do; empty when all is well.</param>
public sealed record Finding(CheckLevel Level, string Name, string Text, string Mend = "")
{
    /// <summary>As <c>doctor</c> prints it; two lines where there is something to fix.</summary>
    public string Line
    {
        get
        {
            var mark = Level switch { CheckLevel.Good => "ok  ", CheckLevel.Warning => "warn", _ => "FAIL" };
            return $"{mark}  {Name,-11} {Text}{(Mend.Length == 0 ? "" : $"{Environment.NewLine}{"",18}-> {Mend}")}";
        }
    }

    /// <summary>The sentence with which a run refuses: what is wrong, and how to fix it.</summary>
    public string Refusal => $"This machine cannot carry the run: {Name}: {Text}; {Mend}.";
}

/// <summary>What a finding means for a run.</summary>
public enum CheckLevel
{
    /// <summary>Nothing to mend.</summary>
    Good,

    /// <summary>A run works, but its figures say less than they could.</summary>
    Warning,

    /// <summary>A run would break: it is refused before anything is started.</summary>
    Refusal,
}

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
