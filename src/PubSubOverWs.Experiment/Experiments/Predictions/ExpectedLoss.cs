using System.Globalization;
using PubSubOverWs.Experiment.Accounting;
using PubSubOverWs.Experiment.Statistics;

namespace PubSubOverWs.Experiment.Experiments.Predictions;

/// <summary>What one arm is expected to lose.</summary>
public static class ExpectedLoss
{
    /// <summary>By so much the loss may be below or above what the windows foretell.</summary>
    public const double Within = 0.25;

    /// <summary>An arm delivers all that was attempted, in time.</summary>
    public static Expectation None(string arm) => new("nothing-is-lost", $"{arm} loses nothing", [arm], evidence =>
    {
        var found = evidence.Of(arm);
        return found.Buckets.Lost > 0
            ? new(false, $"{found.Lost} lost")
            : new(true, $"{found.Lost} lost; {NoneIn(found.Level.Rows.Count)}");
    });

    /// <summary>
    /// What nothing lost in so many iterations says. Losses come together, so it is the number of iterations that bounds them, not of
    /// messages.
    /// </summary>
    /// <param name="iterations">1 or more.</param>
    public static string NoneIn(int iterations) => string.Create(
        CultureInfo.InvariantCulture,
        $"with {iterations} iterations at most {ExactInterval.Of(0, iterations, 0.95)!.Value.High * 100:0.0} % of iterations lose any "
            + $"(95 %)");

    /// <summary>An arm that stores nothing loses what was published while subscribers were away, as measured, within a quarter.</summary>
    public static Expectation AsForecast(string arm) => new(
        "loss-is-as-forecast", $"the loss of {arm} agrees with the offline windows as measured, within a quarter", [arm],
        evidence => AgainstForecast(evidence.Of(arm)));

    /// <summary>Under churn an arm that stores nothing loses W'/(C + W') with the mean window W' as measured, within a quarter.</summary>
    /// <remarks>
    /// C counts from when the proxy accepts, and W' ends with the subscription a handshake h later: the cycle is C + W' - h. Of a cycle of
    /// a second h is a few thousandths, far within a quarter.
    /// </remarks>
    /// <param name="arm">Which.</param>
    /// <param name="every">C, how long a connection lasts.</param>
    public static Expectation AsClosedForm(string arm, TimeSpan every) => new(
        "loss-is-as-closed-form", $"{arm} loses W'/(C + W'), within a quarter", [arm],
        evidence => AgainstClosedForm(evidence.Of(arm), every));

    private static ExpectationAnswer AgainstForecast(ArmEvidence arm)
    {
        if (arm.PredictedLost is not { } predicted)
            return new(null, "the record has no offline windows");
        if (arm.LostOfPredicted is not { } ratio)
            return new(null, "by the windows nothing should have been lost: nobody was away");
        var others = arm.LostToOtherCauses == 0
            ? ""
            : string.Create(CultureInfo.InvariantCulture, $", without {arm.LostToOtherCauses} shed or not connected");
        var (low, high) = arm.LostOfPredictedRange;
        return new(Math.Abs(ratio - 1) <= Within, string.Create(
            CultureInfo.InvariantCulture,
            $"{arm.Lost} lost{others}, {predicted} predicted: {ratio:0.000} of it, in iterations from {low:0.000} to {high:0.000}"));
    }

    private static ExpectationAnswer AgainstClosedForm(ArmEvidence arm, TimeSpan every)
    {
        if (arm.SubscriberAwayMean is not > 0)
            return new(null, "no subscriber was away, or none came back");
        var expected = LossForecast.OfChurn(every, TimeSpan.FromMilliseconds(arm.SubscriberAwayMean.Value));
        var found = (double)arm.LostToWindows / arm.Buckets.Attempts;
        return new(Math.Abs((found / expected) - 1) <= Within, string.Create(
            CultureInfo.InvariantCulture, $"{found * 100:0.00} % lost while {expected * 100:0.00} % of the time was spent away"));
    }
}
