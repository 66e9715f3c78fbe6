using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Report.Standard.Rows;

/// <summary>The points of figures.</summary>
/// <param name="Loss">Percent of sent messages, for each level and arm that has readings.</param>
/// <param name="Latency">ms, for each level and arm that has readings.</param>
/// <param name="Iterations">Every row that was not superseded, in the order in which they ran; floor and warm-up among them.</param>
/// <param name="Events">All of events.csv, starting and stopping too.</param>
public sealed record FigurePoints(
    IReadOnlyList<ArmPoint> Loss, IReadOnlyList<ArmPoint> Latency, IReadOnlyList<IterationPoint> Iterations,
    IReadOnlyList<EventRow> Events);

/// <summary>One metric of one arm at one level.</summary>
/// <param name="Arm">Its name.</param>
/// <param name="Users">The level.</param>
/// <param name="Count">n, the number of iterations.</param>
/// <param name="Mean">Over iterations.</param>
/// <param name="Sd">With n - 1; null below two iterations.</param>
/// <param name="Mean95">Student's 95 % interval of the mean; null below two iterations.</param>
/// <param name="PublishedMean">Null: not published.</param>
/// <param name="PublishedSd">Null: not published.</param>
public sealed record ArmPoint(
    string Arm, int Users, int Count, double Mean, double? Sd, Interval? Mean95, double? PublishedMean, double? PublishedSd);

/// <summary>One arm in one iteration, as figures show it.</summary>
/// <param name="Arm">An arm, or floor.</param>
/// <param name="Users">The level.</param>
/// <param name="Block">From 1.</param>
/// <param name="Iteration">Unique over the run; the arms of a pair share it.</param>
/// <param name="WarmUp">Recorded and not judged.</param>
/// <param name="StartSeconds">From the start of the run.</param>
/// <param name="Seconds">Connecting, burst and drain.</param>
/// <param name="LatencyMs">The mean of delivered messages; null: none.</param>
/// <param name="LossPercent">Of sent messages; null: none was sent.</param>
public sealed record IterationPoint(
    string Arm, int Users, int Block, int Iteration, bool WarmUp, double StartSeconds, double Seconds, double? LatencyMs,
    double? LossPercent);
