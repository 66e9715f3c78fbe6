using PubSubOverWs.Experiment.Statistics;

namespace PubSubOverWs.Experiment.Reports;

/// <summary>One metric of one arm at one level.</summary>
/// <param name="Arm">Its name.</param>
/// <param name="Users">The level.</param>
/// <param name="Count">n, the number of iterations.</param>
/// <param name="Mean">Over iterations.</param>
/// <param name="Sd">With n - 1; null below two iterations.</param>
/// <param name="Mean95">Student's 95 % interval of the mean; null below two iterations.</param>
/// <param name="PublishedMean">What the paper prints; null: nothing.</param>
/// <param name="PublishedSd">What the paper prints; null: nothing.</param>
public sealed record ArmPoint(
    string Arm, int Users, int Count, double Mean, double? Sd, Interval? Mean95, double? PublishedMean, double? PublishedSd);
