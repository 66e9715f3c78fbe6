using PubSubOverWs.LoadTest.Experiments.Paper.Faults;
using PubSubOverWs.Report.Standard.Sections;

namespace PubSubOverWs.LoadTest.Experiments.Paper.Predictions;

/// <summary>The effect of a fault on one arm at one level, as report.json has it. Shares are from 0 to 1; null: there is none.</summary>
/// <param name="ClosedForm">Under churn: W'/(C + W') with the measured mean window.</param>
/// <param name="NotDrained">As in <see cref="ArmEvidence"/>: guarantee loss is claimed only if it is 0.</param>
/// <param name="Duplicates">Copies that receivers dropped by their id.</param>
/// <param name="Causes">Such as <c>deadline 12, shed 3</c>; empty: everything was delivered.</param>
public sealed record FaultArm(
    string Arm, int Iterations, long Attempts, long Acknowledged, long Lost, double? EndToEndLoss, long? PredictedLost,
    double? LostOfPredicted, double? ClosedForm, long LostAcknowledged, double? GuaranteeLoss, int NotDrained, long SubscriberWindows,
    double? SubscriberAwayMeanMs, double? SubscriberAwayMaxMs, long PublisherWindows, double? PublisherAwayMeanMs, long NeverBack,
    long FaultActions, long Republished, long Duplicates, string Causes)
{
    public static FaultArm Of(Fault fault, ArmEvidence arm) => new(
        Arm: arm.Arm,
        Iterations: arm.Level.Rows.Count,
        Attempts: arm.Buckets.Attempts,
        Acknowledged: arm.Buckets.Acknowledged,
        Lost: arm.Buckets.Lost,
        EndToEndLoss: arm.Buckets.EndToEndLoss,
        PredictedLost: arm.PredictedLost,
        LostOfPredicted: arm.LostOfPredicted,
        ClosedForm: fault is ChurnFault churn && arm.SubscriberAwayMean is { } away
            ? LossForecast.OfChurn(churn.Every, TimeSpan.FromMilliseconds(away))
            : null,
        LostAcknowledged: arm.Buckets.LostAcknowledged,
        GuaranteeLoss: arm.Buckets.GuaranteeLoss,
        NotDrained: arm.NotDrained,
        SubscriberWindows: arm.Faults.Sum(row => (long)row.SubscriberWindows),
        SubscriberAwayMeanMs: arm.SubscriberAwayMean,
        SubscriberAwayMaxMs: arm.Faults.Max(row => row.SubscriberAwayMax?.TotalMilliseconds),
        PublisherWindows: arm.Faults.Sum(row => (long)row.PublisherWindows),
        PublisherAwayMeanMs: arm.PublisherAwayMean,
        NeverBack: arm.NeverBack,
        FaultActions: arm.FaultActions,
        Republished: arm.Faults.Sum(row => row.Republished),
        Duplicates: arm.Level.Anomalies.Duplicates,
        Causes: LossSection.Causes(arm.Buckets.Causes));
}
