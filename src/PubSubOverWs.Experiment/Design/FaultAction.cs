namespace PubSubOverWs.Experiment.Design;

/// <summary>One fault action on the time line of an iteration.</summary>
/// <param name="At">From the first due.</param>
/// <param name="Kind">What is done.</param>
/// <param name="For">How long: until the port is open, or the way is free, again.</param>
public readonly record struct FaultAction(TimeSpan At, FaultActionKind Kind, TimeSpan For)
{
    /// <summary>True: it is done to the queue; false: to the servers under test.</summary>
    public bool IsOfQueue => Kind is not (FaultActionKind.KillServer or FaultActionKind.StopServer);
}

/// <summary>What is done at a moment of an iteration.</summary>
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
}
