using System.Globalization;
using PubSubOverWs.Experiment.Accounting;

namespace PubSubOverWs.Experiment.Faults;

/// <summary>Under churn an arm that stores nothing loses W'/(C + W') with the mean window W' as measured, within a quarter.</summary>
/// <remarks>
/// C counts from when the proxy accepts, and W' ends with the subscription a handshake h later: the cycle is C + W' - h. Of a cycle of a
/// second h is a few thousandths, far within a quarter.
/// </remarks>
/// <param name="Arm">Which.</param>
/// <param name="Every">C, how long a connection lasts.</param>
public sealed record LossIsAsClosedForm(string Arm, TimeSpan Every) : Expectation
{
    public override string Text => $"{Arm} loses W'/(C + W'), within a quarter";

    public override IReadOnlyList<string> Arms => [Arm];

    protected override ExpectationFinding ArmStyle(FaultEvidence evidence)
    {
        var arm = evidence.Of(Arm);
        if (arm.SubscriberAwayMean is not > 0)
            return Untested("no subscriber was away, or none came back");
        var expected = LossForecast.OfChurn(Every, TimeSpan.FromMilliseconds(arm.SubscriberAwayMean.Value));
        var found = (double)arm.LostToWindows / arm.Buckets.Attempts;
        return Decide(Math.Abs((found / expected) - 1) <= LossIsAsForecast.Within, string.Create(
            CultureInfo.InvariantCulture, $"{found * 100:0.00} % lost while {expected * 100:0.00} % of the time was spent away"));
    }
}
