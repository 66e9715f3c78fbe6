using System.Globalization;
using PubSubOverWs.Experiment.Experiments.Relay;
using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.Experiment.Experiments.Predictions;

/// <summary>What expectations are judged by: all arms of one level.</summary>
/// <param name="Obstacle">Why nothing is judged, such as <c>the run is invalid</c>; null: nothing stands in the way.</param>
/// <param name="Arms">Those that were run.</param>
public sealed record FaultEvidence(string? Obstacle, IReadOnlyList<ArmEvidence> Arms)
{
    /// <summary>Over which the messages of an iteration were due; zero: all at once.</summary>
    public TimeSpan Spread { get; init; }

    /// <param name="run">What was asked and where.</param>
    /// <param name="isValid">False: it breaks a check of validity.</param>
    /// <param name="arms">Of one level.</param>
    public static FaultEvidence Of(RunRecord run, bool isValid, IReadOnlyList<ArmEvidence> arms) =>
        new(ObstacleOf(run, isValid, arms), arms) { Spread = run.Scenario.Arrivals.Spread };

    /// <summary>Null: the arm was not run, or no iteration of it counts.</summary>
    public ArmEvidence? Find(string arm) => Arms.FirstOrDefault(one => one.Arm == arm);

    /// <exception cref="InvalidOperationException">It was not run.</exception>
    public ArmEvidence Of(string arm) => Find(arm) ?? throw new InvalidOperationException($"There is no evidence of {arm}.");

    private static string? ObstacleOf(RunRecord run, bool isValid, IReadOnlyList<ArmEvidence> arms)
    {
        var fault = ((RelayScenario)run.Scenario).Fault;
        if (!isValid)
            return "the run is invalid";
        if (!run.Complete)
            return "the run is incomplete";
        if (fault.NeedsPinning && run.SetUp.NotPinnedBecause is { } why)
            return $"nothing was pinned: {why}";
        if (fault.NotJudgedBecause is { } parameters)
            return parameters;
        return arms.FirstOrDefault(arm => arm.Deeds < fault.LeastDeeds) is { } few
            ? string.Create(
                CultureInfo.InvariantCulture, $"{few.Arm} has {few.Deeds} deeds over the run, and {fault.LeastDeeds} is the least")
            : null;
    }
}

/// <summary>Holds a prediction against what was found at one level.</summary>
public static class FaultJudge
{
    public static FaultOutcome Judge(IReadOnlyList<Expectation> prediction, FaultEvidence evidence)
    {
        ExpectationFinding[] findings =
        [
            .. prediction.Where(one => !one.OnlyWhereRun || one.Arms.All(arm => evidence.Find(arm) is not null))
                .Select(one => one.Judge(evidence)),
        ];
        var wrong = Array.FindAll(findings, one => one.Word == ExpectationWord.NotAsPredicted);
        if (wrong.Length > 0)
            return new(ExpectationWord.NotAsPredicted, $"not as predicted: {string.Join("; ", wrong.Select(Said))}", findings);
        // A prediction holds as a whole or not at all: what could not be tested was not shown.
        var untested = Array.FindAll(findings, one => one.Word == ExpectationWord.NotTestable);
        return untested.Length > 0
            ? new(ExpectationWord.NotTestable, $"not testable: {string.Join("; ", untested.Select(Said))}", findings)
            : new(ExpectationWord.AsPredicted, "as predicted", findings);
    }

    private static string Said(ExpectationFinding one) => $"{one.Expected} ({one.Found})";
}

/// <summary>What became of a prediction.</summary>
/// <param name="Word">Not as predicted, if one line of it is not; else not testable, if one is not; else as predicted.</param>
/// <param name="Text">The same with the lines that made it so.</param>
/// <param name="Findings">Every line of the prediction, beside what was found.</param>
public sealed record FaultOutcome(ExpectationWord Word, string Text, IReadOnlyList<ExpectationFinding> Findings);
