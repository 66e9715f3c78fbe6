namespace PubSubOverWs.Experiment.Published;

/// <summary>Printed percentages; they need not add up to 100.</summary>
public sealed record PublishedShare(double Success, double Loss);
