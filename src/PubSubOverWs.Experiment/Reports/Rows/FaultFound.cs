using System.Text.Json.Serialization;
using PubSubOverWs.Experiment.Predictions;

namespace PubSubOverWs.Experiment.Reports.Rows;

/// <summary>What was broken in a run, what had been predicted, and what came of it.</summary>
/// <param name="Profile">Its name.</param>
/// <param name="Parameters">As they stand in a scenario.</param>
/// <param name="Mechanism">By what messages are lost, or not.</param>
/// <param name="Prediction">As it stood before the run, where the record keeps it.</param>
/// <param name="Levels">What was found, one for each level that has iterations that count.</param>
public sealed record FaultFound(
    string Profile, IReadOnlyDictionary<string, string> Parameters, string Mechanism, string Prediction,
    IReadOnlyList<FaultLevel> Levels)
{
    /// <summary>How what is judged differs from what was registered, or that it is not known; null, and not written: it does not.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Registration { get; init; }
}

/// <summary>What a fault did at one level.</summary>
/// <param name="Users">The level.</param>
/// <param name="Arms">Those that were run.</param>
/// <param name="Outcome">The prediction, line by line.</param>
/// <param name="PubSubLosesLess">Whether H1b holds here.</param>
public sealed record FaultLevel(int Users, IReadOnlyList<FaultArm> Arms, FaultOutcome Outcome, LessLoss PubSubLosesLess);
