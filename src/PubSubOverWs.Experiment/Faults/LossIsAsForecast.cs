using System.Globalization;

namespace PubSubOverWs.Experiment.Faults;

/// <summary>An arm that stores nothing loses what was published while subscribers were away, as measured, within a quarter.</summary>
public sealed record LossIsAsForecast(string Arm) : Expectation
{
    /// <summary>By so much the loss may be below or above what the windows foretell.</summary>
    public const double Within = 0.25;

    public override string Text => $"the loss of {Arm} agrees with the offline windows as measured, within a quarter";

    public override IReadOnlyList<string> Arms => [Arm];

    protected override ExpectationFinding ArmStyle(FaultEvidence evidence)
    {
        var arm = evidence.Of(Arm);
        if (arm.PredictedLost is not { } predicted)
            return Untested("the record has no offline windows");
        if (arm.LostOfPredicted is not { } ratio)
            return Untested("by the windows nothing should have been lost: nobody was away");
        var others = arm.LostToOtherCauses == 0
            ? ""
            : string.Create(CultureInfo.InvariantCulture, $", without {arm.LostToOtherCauses} shed or not connected");
        var (low, high) = arm.LostOfPredictedRange;
        return Decide(Math.Abs(ratio - 1) <= Within, string.Create(
            CultureInfo.InvariantCulture,
            $"{arm.Lost} lost{others}, {predicted} predicted: {ratio:0.000} of it, in iterations from {low:0.000} to {high:0.000}"));
    }
}
