using PubSubOverWs.Experiment.Statistics;

namespace PubSubOverWs.Experiment.Published;

/// <summary>A printed mean and standard deviation.</summary>
public sealed record PublishedArm(Printed Mean, Printed Sd)
{
    public Moments Moments(int count) => Statistics.Moments.Printed(count, Mean.Value, Sd.Value);
}
