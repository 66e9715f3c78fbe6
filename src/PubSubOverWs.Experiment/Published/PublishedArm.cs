namespace PubSubOverWs.Experiment.Published;

/// <summary>A printed mean and standard deviation.</summary>
public sealed record PublishedArm(double Mean, double Sd);
