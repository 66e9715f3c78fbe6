namespace PubSubOverWs.Experiment.Gates;

/// <summary>What becomes of a gate at one level.</summary>
internal enum GateOutcome
{
    Passed,
    Failed,

    /// <summary>Neither was shown.</summary>
    Undecided,
}
