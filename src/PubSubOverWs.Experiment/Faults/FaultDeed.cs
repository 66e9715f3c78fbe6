namespace PubSubOverWs.Experiment.Faults;

/// <summary>What is done at a moment of an iteration.</summary>
public enum FaultDeed
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
