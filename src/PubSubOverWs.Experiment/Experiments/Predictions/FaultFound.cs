using System.Text.Json.Serialization;
using PubSubOverWs.Experiment.Accounting;
using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Experiments.Faults;
using PubSubOverWs.Experiment.Experiments.OneWay;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.Experiment.Reports.Sections;

namespace PubSubOverWs.Experiment.Experiments.Predictions;

/// <summary>What was broken in a run, what had been predicted, and what came of it.</summary>
/// <param name="Profile">Its name.</param>
/// <param name="Parameters">As they stand in a scenario.</param>
/// <param name="Mechanism">By what messages are lost, or not.</param>
/// <param name="Prediction">As it stood before the run, where the record keeps it.</param>
/// <param name="Levels">What was found, one for each level that has iterations that count.</param>
public sealed record FaultFound(
    string Profile, IReadOnlyDictionary<string, string> Parameters, string Mechanism, string Prediction,
    IReadOnlyList<FaultLevel> Levels)
{
    /// <summary>How what is judged differs from what was registered, or that it is not known; null, and not written: it does not.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Registration { get; init; }

    /// <summary>Null: it is a run without fault and without pairs, which other sections are about.</summary>
    public static FaultFound? Of(RunFolder folder, bool isValid)
    {
        if (folder.Run.Scenario is not OneWayScenario { Disturbance: not null, IsAgainstItself: false } scenario)
            return null;
        var fault = scenario.Fault;
        return new FaultFound(
            fault.Profile,
            fault.Parameters.ToDictionary(parameter => parameter.Key, parameter => parameter.Text),
            fault.Mechanism,
            folder.Run.Prediction?.Text ?? fault.Prediction,
            [.. scenario.Levels.Select(level => EvidenceOf(folder, level, isValid)).Where(level => level.Evidence.Arms.Count > 0)
                .Select(level => LevelOf(scenario, level.Users, level.Evidence))])
        {
            Registration = folder.Run.Prediction is { } registered
                ? registered.DiffersFrom(FaultExpectations.Registered(scenario))
                : "The record does not keep it: these are the words of the program that makes this report.",
        };
    }

    private static (int Users, FaultEvidence Evidence) EvidenceOf(RunFolder folder, Level level, bool isValid)
    {
        ArmEvidence[] arms =
        [
            .. folder.Run.Scenario.ShownArms.Select(arm => ArmLevel.Of(folder, arm, level)).Where(one => one.Rows.Count > 0)
                .Select(level => new ArmEvidence(level, [.. level.Rows.Select(FaultRow.Find).OfType<FaultRow>()])),
        ];
        return (level.Number, FaultEvidence.Of(folder.Run, isValid, arms));
    }

    private static FaultLevel LevelOf(OneWayScenario scenario, int users, FaultEvidence evidence) => new(
        users, [.. evidence.Arms.Select(arm => ArmOf(scenario.Fault, arm))],
        FaultJudge.Judge(FaultExpectations.Of(scenario), evidence), LessLoss.Of(evidence));

    private static FaultArm ArmOf(Fault fault, ArmEvidence arm) => new()
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

/// <summary>What a fault did at one level.</summary>
/// <param name="Users">The level.</param>
/// <param name="Arms">Those that were run.</param>
/// <param name="Outcome">The prediction, line by line.</param>
/// <param name="PubSubLosesLess">Whether H1b holds here.</param>
public sealed record FaultLevel(int Users, IReadOnlyList<FaultArm> Arms, FaultOutcome Outcome, LessLoss PubSubLosesLess);
