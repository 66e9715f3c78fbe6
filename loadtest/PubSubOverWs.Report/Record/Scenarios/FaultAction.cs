namespace PubSubOverWs.Record.Scenarios;

/// <summary>One fault action on the time line of an iteration.</summary>
/// <param name="At">From the first due.</param>
/// <param name="For">How long: until the port is open, or the way is free, again.</param>
public readonly record struct FaultAction(TimeSpan At, FaultActionKind Kind, TimeSpan For)
{
    /// <summary>The measure of an action on a node; null for one on all servers.</summary>
    public static Measure ReadyAgain { get; } = new("readyAgain", "s", "time from the end of the fault until the node was ready again");

    /// <summary>True: it is done to the queue; false: to the servers under test.</summary>
    public bool IsOfQueue => Kind is not (FaultActionKind.KillServer or FaultActionKind.StopServer) && !IsOfNode;

    /// <summary>True: it is done to the first of several servers that share the work, or to what it reaches the others through.</summary>
    public bool IsOfNode => Kind >= FaultActionKind.KillNode;
}

/// <summary>An action at a moment of an iteration.</summary>
public enum FaultActionKind
{
    /// <summary>SIGKILL to the server under test.</summary>
    KillServer,

    /// <summary>SIGTERM to the server under test.</summary>
    StopServer,

    /// <summary>Connections to the queue are refused.</summary>
    QueueRefuses,

    /// <summary>Nothing passes to the queue or from it.</summary>
    QueueStalls,

    /// <summary>SIGKILL to the queue.</summary>
    KillQueue,

    // Actions on one of several servers come last.

    /// <summary>SIGKILL to the first of the servers that share the work; it is started again when the time is over.</summary>
    KillNode,

    /// <summary>SIGSTOP to it, and SIGCONT when the time is over.</summary>
    PauseNode,

    /// <summary>Nothing passes between it and the topics.</summary>
    TopicsStall,

    /// <summary>Nothing passes between it and the queues.</summary>
    NodeQueueStalls,

    /// <summary>Its requests do not reach the queues.</summary>
    QueueRequestsStall,

    /// <summary>Its requests reach the queues, and the answers do not reach it.</summary>
    QueueAnswersStall,
}
