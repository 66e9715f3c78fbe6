namespace PubSubOverWs.Experiment.Records;

/// <summary>An A/A run that another run is held against.</summary>
/// <param name="Run">The name of its folder.</param>
/// <param name="Started">UTC.</param>
/// <param name="Commit">What it was made by; null: not known.</param>
/// <param name="Found">What it found.</param>
public sealed record NoiseSource(string Run, DateTimeOffset Started, string? Commit, SelfComparison Found);
