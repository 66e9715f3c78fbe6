namespace PubSubOverWs.Experiment.Gates;

/// <summary>What a gate that names a baseline came to at one level.</summary>
/// <param name="Outcome">At this level.</param>
/// <param name="Found">Half a sentence with the figures.</param>
internal readonly record struct BaselineFinding(GateOutcome Outcome, string Found);
