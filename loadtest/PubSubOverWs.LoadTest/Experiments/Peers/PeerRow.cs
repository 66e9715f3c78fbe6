namespace PubSubOverWs.LoadTest.Experiments.Peers;

/// <summary>One figure of every server that has it: a level.</summary>
/// <param name="Name">As in scenarios.</param>
/// <param name="Unit">Of its values; empty: a share.</param>
/// <param name="Title">What is measured.</param>
public sealed record PeerRow(string Name, string Unit, string Title)
{
    /// <summary>What the first load of a process achieves: it needs one that is fresh.</summary>
    public static PeerRow Start { get; } = new("start", "", "round trips a second in the first 3 s of load, over those when warm");

    public static PeerRow IdleMemory { get; } = new("idle-memory", "KiB", "memory of an idle connection");

    public static PeerRow IdleCpu { get; } = new("idle-cpu", "ms/s", "CPU of idle connections");

    public static PeerRow Connects { get; } = new("connects", "1/s", "connections opened");

    public static PeerRow Cpu { get; } = new("cpu", "us", "CPU of server and queue per round trip, one message in a write");

    public static PeerRow CpuTogether { get; } = new("cpu-together", "us", "the same, all that is under way in one write");

    public static PeerRow Saturated { get; } = new("saturated", "us", "the same, what came back in one write");

    public static PeerRow FanOut { get; } =
        new("fan-out", "1/s", "highest rate of deliveries to all subscribers with p99 below 100 ms");

    public static PeerRow Queue { get; } = new("queue", "us", "CPU of the queue per message in and out");

    /// <summary>In the order in which a block measures them: those of a fresh process first.</summary>
    public static IReadOnlyList<PeerRow> All { get; } =
        [Start, IdleMemory, IdleCpu, Connects, Cpu, CpuTogether, Saturated, FanOut, Queue];

    /// <summary>True: a server that had load before has another figure.</summary>
    public bool NeedsFreshServer => this == Start || this == IdleMemory;

    /// <summary>True: clients keep messages under way, whose cost it is.</summary>
    public bool IsCpu => this == Cpu || this == CpuTogether || this == Saturated;

    /// <summary>True: its connections send nothing.</summary>
    public bool IsIdle => this == IdleMemory || this == IdleCpu || this == Connects;

    /// <summary>Whether an arm can have it.</summary>
    public bool IsOf(Arm arm) => arm.Target == PeersArms.Queue ? this == Queue
        : this != Queue && arm.Name switch
        {
            PeersArms.Nchan => IsIdle,
            PeersArms.Echo or PeersArms.Ws => this != FanOut,
            _ => true,
        };
}
