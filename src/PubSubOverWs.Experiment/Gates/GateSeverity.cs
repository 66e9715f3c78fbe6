namespace PubSubOverWs.Experiment.Gates;

/// <summary>What a gate that does not hold does.</summary>
public enum GateSeverity
{
    /// <summary>The run fails: exit code 2.</summary>
    Fail,

    /// <summary>It is said, and the exit code stays.</summary>
    Warn,
}
