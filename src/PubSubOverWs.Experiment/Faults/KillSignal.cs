namespace PubSubOverWs.Experiment.Faults;

/// <summary>How a server is ended.</summary>
public enum KillSignal
{
    /// <summary>SIGKILL: at once, with all it holds in memory.</summary>
    Kill,

    /// <summary>SIGTERM: it may finish what it has begun.</summary>
    Term,
}
