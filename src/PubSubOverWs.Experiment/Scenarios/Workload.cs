namespace PubSubOverWs.Experiment.Scenarios;

/// <summary>Who sends to whom.</summary>
public enum Workload
{
    /// <summary>The paper's: each user sends to itself, over one connection.</summary>
    Loopback,

    /// <summary>
    /// Each user is two: a publisher, and on a connection of its own the subscriber it sends to. Faults need it, for only so can one be
    /// away while the other sends.
    /// </summary>
    Pairs,
}
