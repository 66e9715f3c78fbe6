using PubSubOverWs.Experiment.Faults.Expectations;

namespace PubSubOverWs.Experiment.Faults;

/// <summary>What became of a prediction.</summary>
/// <param name="Word">Not as predicted, if one line of it is not; else not testable, if one is not; else as predicted.</param>
/// <param name="Text">The same with the lines that made it so.</param>
/// <param name="Findings">Every line of the prediction, beside what was found.</param>
public sealed record FaultOutcome(ExpectationWord Word, string Text, IReadOnlyList<ExpectationFinding> Findings);
