namespace PubSubOverWs.Experiment.Faults;

/// <summary>How the queue cannot be reached.</summary>
public enum QueueAbsence
{
    /// <summary>Nobody listens: connections are refused, and those that are there are cut.</summary>
    Refuse,

    /// <summary>Connections stay, and nothing passes.</summary>
    Stall,
}
