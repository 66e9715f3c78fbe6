using System.Text.Json.Serialization;

namespace PubSubOverWs.Experiment.Gates;

/// <summary>What became of a gate.</summary>
/// <param name="Gate">The condition.</param>
/// <param name="Passed">False also where it could not be judged: what was not measured never passes.</param>
/// <param name="Sentence">What was found, with counts.</param>
public sealed record GateResult(Gate Gate, bool Passed, string Sentence)
{
    /// <summary>
    /// True: it did not fail either. There was no baseline, it cannot be compared or lacks what is asked, or there are too few repetitions
    /// to tell.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool Undecided { get; init; }
}

/// <summary>What becomes of a gate at one level.</summary>
internal enum GateOutcome
{
    Passed,
    Failed,

    /// <summary>Neither was shown.</summary>
    Undecided,
}
