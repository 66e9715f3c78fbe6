namespace PubSubOverWs.LoadTest.Experiments.Paper.Predictions;

/// <summary>The expected loss of one arm.</summary>
public static class ExpectedLoss
{
    /// <summary>The largest deviation of the loss from the one that the offline windows predict.</summary>
    public const double Within = 0.25;

    /// <summary>An arm delivers every message in time.</summary>
    public static Expectation None(string arm) => new("nothing-is-lost", $"{arm} loses nothing", [arm], evidence =>
    {
        var found = evidence.Of(arm);
        return found.Buckets.Lost > 0
            ? new(false, $"{found.Lost} lost")
            : new(true, $"{found.Lost} lost; {NoneIn(found.Level.Rows.Count)}");
    });

    /// <summary>The bound that no loss implies. Losses are clustered, so it depends on the number of iterations, not of messages.</summary>
    /// <param name="iterations">1 or more.</param>
    public static string NoneIn(int iterations) =>
        Invariant($"with {iterations} iterations at most {ExactInterval.Of(0, iterations, 0.95)!.Value.High * 100:0.0} % of iterations ")
            + "lose any (95 %)";

    /// <summary>An arm that stores nothing loses what was published in the measured offline windows, within a quarter.</summary>
    public static Expectation AsForecast(string arm) => new(
        "loss-is-as-forecast", $"the loss of {arm} agrees with the offline windows as measured, within a quarter", [arm],
        evidence => AgainstForecast(evidence.Of(arm)));

    /// <summary>Under churn an arm that stores nothing loses W'/(C + W') with the measured mean window W', within a quarter.</summary>
    /// <remarks>
    /// C begins when the proxy accepts, and W' ends with the subscription, a handshake h later: the cycle is C + W' - h, and h is a few
    /// thousandths of a cycle of a second.
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
            return new(null, "by the windows no loss was expected: no client was offline");
        var others = arm.LostToOtherCauses == 0
            ? ""
            : $", without {arm.LostToOtherCauses} shed or not connected";
        var (low, high) = arm.LostOfPredictedRange;
        return new(
            Math.Abs(ratio - 1) <= Within,
            Invariant($"{arm.Lost} lost{others}, {predicted} predicted: {ratio:0.000} of it, ")
                + Invariant($"in iterations from {low:0.000} to {high:0.000}"));
    }

    private static ExpectationAnswer AgainstClosedForm(ArmEvidence arm, TimeSpan every)
    {
        if (arm.SubscriberAwayMean is not > 0)
            return new(null, "no subscriber was offline, or none came back");
        var expected = LossForecast.OfChurn(every, TimeSpan.FromMilliseconds(arm.SubscriberAwayMean.Value));
        var found = (double)arm.LostToWindows / arm.Buckets.Attempts;
        return new(
            Math.Abs((found / expected) - 1) <= Within,
            Invariant($"{found * 100:0.00} % lost, {expected * 100:0.00} % of the time offline"));
    }
}
