namespace PubSubOverWs.Record.Scenarios;

/// <summary>
/// How the servers of an arm are started in each block, as data: the load runner knows neither the experiment nor the fault.
/// </summary>
public sealed record ServerSetUp
{
    /// <summary>One server, as it is by default.</summary>
    public static ServerSetUp Default { get; } = new();

    /// <summary>How many servers share the work of the arm: 1 or more.</summary>
    public int Servers { get; init; } = 1;

    /// <summary>The folder of another build of the program, whose servers these are; null: they are of this build.</summary>
    public string? Programs { get; init; }

    /// <summary>Settings of each, by the key of its configuration.</summary>
    public IReadOnlyDictionary<string, string> Settings { get; init; } = new Dictionary<string, string>();

    /// <summary>Variables in the environment of each.</summary>
    public IReadOnlyDictionary<string, string> Environment { get; init; } = new Dictionary<string, string>();

    /// <summary>
    /// How many connections of each user go through a proxy before the server: 0; 1, the subscriber's; 2, the publisher's as well.
    /// </summary>
    public int ProxiedConnections { get; init; }

    /// <summary>The simulated distance of the queue, if the run starts it.</summary>
    public QueueLatency QueueLatency { get; init; }

    /// <summary>Arms of a target that have the same name here share their servers; null: an arm has servers of its own.</summary>
    public string? SharedAs { get; init; }

    /// <summary>The name of the servers of an arm; arms with the same name share them.</summary>
    public string NameFor(Arm arm) => SharedAs ?? arm.Name;

    /// <summary>
    /// True: the servers reach their queue, which the run starts, through a proxy; of several that share the work the first alone, and its
    /// topics through another.
    /// </summary>
    public bool ProxiesQueue { get; init; }
}

/// <summary>External actions while a trial runs.</summary>
/// <param name="Network">The conditions of connections through a proxy.</param>
/// <param name="Actions">In order; one ends before the next begins.</param>
/// <param name="Lasts">From the first due: then everything is taken back, in every arm after the same time.</param>
public sealed record TrialPlan(NetworkConditions Network, IReadOnlyList<FaultAction> Actions, TimeSpan Lasts);
