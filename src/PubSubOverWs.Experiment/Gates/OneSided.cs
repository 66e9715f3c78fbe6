using PubSubOverWs.Experiment.Statistics;

namespace PubSubOverWs.Experiment.Gates;

/// <summary>Welch's test, made one-sided either way, of a mean against a limit that is itself measured.</summary>
/// <param name="Above">The p of: the mean is above its limit.</param>
/// <param name="Below">The p of: the mean is below its limit.</param>
/// <param name="Excess">The 90 % interval of the mean less its limit: wholly below 0 exactly where <paramref name="Below"/> is below
/// 0.05.</param>
internal sealed record OneSided(double Above, double Below, Interval Excess)
{
    /// <summary>Both constant, and exactly on the limit: which is allowed, and no question of chance.</summary>
    private static readonly OneSided OnTheLimit = new(1, 0, new Interval(0, 0));

    /// <param name="limit">The baseline's sample, scaled to its limit; at least 2 values.</param>
    /// <param name="sample">At least 2 values.</param>
    public static OneSided Of(Moments limit, Moments sample) => WelchTest.Test(limit, sample) is { } test
        ? new(
            StudentTails.Upper(test.T, test.DegreesOfFreedom),
            StudentTails.Upper(-test.T, test.DegreesOfFreedom),
            WelchTest.Difference(limit, sample, 0.90)!.Value)
        : OnTheLimit;
}
