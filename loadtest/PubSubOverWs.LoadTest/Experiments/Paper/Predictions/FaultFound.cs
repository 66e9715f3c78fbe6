using PubSubOverWs.LoadTest.Experiments.Paper.Faults;
using PubSubOverWs.Report.Standard.Sections;

namespace PubSubOverWs.LoadTest.Experiments.Paper.Predictions;

/// <summary>The fault of a run, its prediction, and the outcome.</summary>
/// <param name="Parameters">As scenarios have them.</param>
/// <param name="Mechanism">How it loses messages, or why it does not.</param>
/// <param name="Prediction">As registered before the run, where the record keeps it.</param>
/// <param name="Levels">One for each level with measured iterations.</param>
public sealed record FaultFound(
    string Profile, IReadOnlyDictionary<string, string> Parameters, string Mechanism, string Prediction,
    IReadOnlyList<FaultLevel> Levels)
{
    /// <summary>How the judged prediction differs from the registered one, if it does or may. Null is not written.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Registration { get; init; }

    /// <summary>Null: the run has neither a fault nor the workload pairs.</summary>
    public static FaultFound? From(RunFolder folder, bool isValid)
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
                : "The record has no prediction: these are the words of the program that makes this report.",
        };
    }

    private static (int Users, FaultEvidence Evidence) EvidenceOf(RunFolder folder, Level level, bool isValid)
    {
        ArmEvidence[] arms =
        [
            .. folder.Run.Scenario.ShownArms.Select(arm => ArmLevel.From(folder, arm, level)).Where(one => one.Rows.Count > 0)
                .Select(level => new ArmEvidence(level, [.. level.Rows.Select(FaultRow.Find).OfType<FaultRow>()])
                { AreBlocksAfresh = folder.Run.SetUp.OwnServers }),
        ];
        return (level.Number, FaultEvidence.From(folder.Run, isValid, arms));
    }

    private static FaultLevel LevelOf(OneWayScenario scenario, int users, FaultEvidence evidence) => new(
        users, [.. evidence.Arms.Select(arm => FaultArm.From(scenario.Fault, arm))],
        FaultJudge.Judge(FaultExpectations.From(scenario), evidence), LessLoss.From(evidence));
}

/// <param name="PubSubLosesLess">Whether H1b holds here.</param>
public sealed record FaultLevel(int Users, IReadOnlyList<FaultArm> Arms, FaultOutcome Outcome, LessLoss PubSubLosesLess);

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
    public static FaultArm From(Fault fault, ArmEvidence arm) => new(
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
