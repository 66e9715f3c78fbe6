namespace PubSubOverWs.Experiment.Faults.Expectations;

/// <summary>An expectation beside what was found.</summary>
/// <param name="Expected">The expectation's text.</param>
/// <param name="Word">Whether it holds.</param>
/// <param name="Found">The figures, or why it cannot be tested.</param>
public sealed record ExpectationFinding(string Expected, ExpectationWord Word, string Found);
