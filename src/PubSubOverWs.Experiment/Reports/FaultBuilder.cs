using PubSubOverWs.Experiment.Accounting;
using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Experiments.Relay;
using PubSubOverWs.Experiment.Faults;
using PubSubOverWs.Experiment.Predictions;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.Experiment.Reports.Rows;
using PubSubOverWs.Experiment.Reports.Sections;

namespace PubSubOverWs.Experiment.Reports;

/// <summary>Makes of a record what its fault did.</summary>
internal static class FaultBuilder
{
    /// <summary>Null: it is a run without fault and without pairs, which other sections are about.</summary>
    public static FaultFound? Of(RunFolder folder, bool isValid)
    {
        var scenario = (RelayScenario)folder.Run.Scenario;
        if (!scenario.IsDemonstration || scenario.IsAgainstItself)
            return null;
        var fault = scenario.Fault;
        return new FaultFound(
            fault.Profile,
            fault.Parameters.ToDictionary(parameter => parameter.Key, parameter => parameter.Text),
            fault.Mechanism,
            folder.Run.Prediction?.Text ?? fault.Prediction,
            [.. scenario.Levels.Select(level => Evidence(folder, level, isValid)).Where(level => level.Evidence.Arms.Count > 0)
                .Select(level => Level(scenario, level.Users, level.Evidence))])
        {
            Registration = folder.Run.Prediction is { } registered
                ? registered.DiffersFrom(FaultExpectations.Registered(scenario))
                : "The record does not keep it: these are the words of the program that makes this report.",
        };
    }

    private static (int Users, FaultEvidence Evidence) Evidence(RunFolder folder, Level level, bool isValid)
    {
        ArmEvidence[] arms =
        [
            .. folder.Run.Scenario.ShownArms.Select(arm => ArmLevel.Of(folder, arm, level)).Where(one => one.Rows.Count > 0)
                .Select(level => new ArmEvidence(level, [.. level.Rows.Select(FaultRow.Find).OfType<FaultRow>()])),
        ];
        return (level.Number, FaultEvidence.Of(folder.Run, isValid, arms));
    }

    private static FaultLevel Level(RelayScenario scenario, int users, FaultEvidence evidence) => new(
        users, [.. evidence.Arms.Select(arm => Arm(scenario.Fault, arm))],
        FaultJudge.Judge(FaultExpectations.Of(scenario), evidence), LessLoss.Of(evidence));

    private static FaultArm Arm(Fault fault, ArmEvidence arm) => new()
    {
        Arm = arm.Arm,
        Iterations = arm.Level.Rows.Count,
        Attempts = arm.Buckets.Attempts,
        Acknowledged = arm.Buckets.Acknowledged,
        Lost = arm.Buckets.Lost,
        EndToEndLoss = arm.Buckets.EndToEndLoss,
        PredictedLost = arm.PredictedLost,
        LostOfPredicted = arm.LostOfPredicted,
        ClosedForm = fault is ChurnFault churn && arm.SubscriberAwayMean is { } away
            ? LossForecast.OfChurn(churn.Every, TimeSpan.FromMilliseconds(away))
            : null,
        LostAcknowledged = arm.Buckets.LostAcknowledged,
        GuaranteeLoss = arm.Buckets.GuaranteeLoss,
        NotDrained = arm.NotDrained,
        SubscriberWindows = arm.Faults.Sum(row => (long)row.SubscriberWindows),
        SubscriberAwayMeanMs = arm.SubscriberAwayMean,
        SubscriberAwayMaxMs = arm.Faults.Max(row => row.SubscriberAwayMax?.TotalMilliseconds),
        PublisherWindows = arm.Faults.Sum(row => (long)row.PublisherWindows),
        PublisherAwayMeanMs = arm.PublisherAwayMean,
        NeverBack = arm.Faults.Sum(row => (long)row.NeverBack),
        Deeds = arm.Deeds,
        Republished = arm.Faults.Sum(row => row.Republished),
        Duplicates = arm.Level.Anomalies.Duplicates,
        Causes = LossSection.Causes(arm.Buckets.Causes),
    };
}
