using PubSubOverWs.Experiment.Faults;

namespace PubSubOverWs.Experiment.Reports;

/// <summary>What a fault did at one level.</summary>
/// <param name="Users">The level.</param>
/// <param name="Arms">Those that were run.</param>
/// <param name="Outcome">The prediction, line by line.</param>
/// <param name="PubSubLosesLess">Whether H1b holds here.</param>
public sealed record FaultLevel(int Users, IReadOnlyList<FaultArm> Arms, FaultOutcome Outcome, LessLoss PubSubLosesLess);
