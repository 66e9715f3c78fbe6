namespace PubSubOverWs.LoadTest.Experiments.WhichQueue;

/// <summary>What is asked of a queue in a trial.</summary>
/// <param name="Name">As in scenarios.</param>
/// <param name="When">In a sentence of a fault, after "when"; empty: nothing is done.</param>
/// <param name="Kind">The fault half-way; null: nothing is done.</param>
public sealed record QueueTrial(string Name, string When = "", FaultActionKind? Kind = null)
{
    /// <summary>Messages at a constant rate, from publishers to subscribers.</summary>
    public static QueueTrial Relayed { get; } = new("relayed");

    /// <summary>The queue without a server before it: as many messages as go in and out.</summary>
    public static QueueTrial Alone { get; } = new("alone");

    public static QueueTrial RelayKilled { get; } = new("relay-killed", "the relay is killed", FaultActionKind.KillServer);

    public static QueueTrial QueueKilled { get; } = new("queue-killed", "the queue is killed", FaultActionKind.KillQueue);

    public static QueueTrial PowerCut { get; } = new("power-cut", "the power is cut", FaultActionKind.CutPower);

    /// <summary>In the order in which a block runs them.</summary>
    public static IReadOnlyList<QueueTrial> All { get; } = [Relayed, Alone, RelayKilled, QueueKilled, PowerCut];

    /// <summary>True: messages wait in the queue while something happens, and subscribers come afterwards.</summary>
    public bool IsFault => Kind is not null;

    /// <summary>That of a level.</summary>
    public static QueueTrial Of(Level level) => All[level.Settings[0].Number - 1];
}
