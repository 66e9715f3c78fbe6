using System.Globalization;
using PubSubOverWs.Experiment.Experiments.Relay;
using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.Experiment.Predictions;

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
