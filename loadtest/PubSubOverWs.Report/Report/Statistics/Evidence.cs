using MathNet.Numerics.Distributions;

namespace PubSubOverWs.Report.Statistics;

/// <summary>The result of one way of testing a row: the only input of verdicts.</summary>
public sealed record Evidence
{
    /// <summary>Null: there was nothing to test.</summary>
    public TTest? Test { get; init; }

    /// <summary>The test's p after Holm's correction over the rows of its table.</summary>
    public double? HolmP { get; init; }

    /// <summary>second - first.</summary>
    public double Difference { get; init; }

    /// <summary>The 95 % interval of second - first; null: there is none.</summary>
    public Interval? Difference95 { get; init; }

    /// <summary>The 90 % interval, which is inside a margin exactly where two one-sided tests at 0.05 reject. Not shown.</summary>
    [JsonIgnore]
    public Interval? Difference90 { get; init; }

    /// <summary>The 95 % interval of second/first, from 0 on unless readings may be negative; null: there is none.</summary>
    public Interval? Ratio95 { get; init; }

    /// <inheritdoc cref="Ratio95"/>
    public Interval? Ratio90 { get; init; }

    /// <summary>The sign of second - first: -1, 0, 1.</summary>
    public int Sign => Test is null ? 0 : Math.Sign(Test.T);
}

/// <summary>Other tests of a row. They are not corrected, no verdict uses them, and reports label them as exploratory.</summary>
/// <param name="MannWhitney">Null: nothing to test.</param>
/// <param name="BrunnerMunzel">May be permuted. Null: nothing to test.</param>
/// <param name="Permutation">Of the difference of means over iterations. Null: nothing to test.</param>
/// <param name="HedgesG95">The exact 95 % interval of g; null: there is no g.</param>
public sealed record Exploratory(RankTest? MannWhitney, RankTest? BrunnerMunzel, RankTest? Permutation, Interval? HedgesG95)
{
    /// <param name="first">One value for each iteration of the first arm.</param>
    /// <param name="second">One for each iteration of the second arm.</param>
    public static Exploratory Compute(IReadOnlyList<double> first, IReadOnlyList<double> second) =>
        Compute(first, second, PermutationTest.Test(first, second));

    /// <summary>Of counted shares, which are permuted by their counts.</summary>
    public static Exploratory OfShares(
        IReadOnlyCollection<(long Part, long Whole)> first, IReadOnlyCollection<(long Part, long Whole)> second) => Compute(
        [.. first.Select(one => (double)one.Part / one.Whole)],
        [.. second.Select(one => (double)one.Part / one.Whole)],
        PermutationTest.OfShares(first, second));

    private static Exploratory Compute(IReadOnlyList<double> first, IReadOnlyList<double> second, RankTest? permutation) => new(
        Statistics.MannWhitney.Test(first, second),
        Statistics.BrunnerMunzel.Test(first, second),
        permutation,
        HedgesG.IntervalOf(Moments.Compute(first), Moments.Compute(second), 0.95));
}

/// <summary>Clopper and Pearson's exact interval of a probability (1934).</summary>
public static class ExactInterval
{
    /// <summary>From <paramref name="events"/> in <paramref name="trials"/>: 0 of 30 gives 0 to 11.6 % at a confidence of 0.95.</summary>
    /// <returns>Null without a trial.</returns>
    public static Interval? Compute(long events, long trials, double confidence)
    {
        if (trials == 0)
            return null;
        var tail = (1 - confidence) / 2;
        // The ends have closed forms; only the inside needs the beta distribution.
        var low = events == 0 ? 0 : events == trials ? Math.Pow(tail, 1.0 / trials) : Quantile(events, trials - events + 1, tail);
        var high = events == trials ? 1 : events == 0 ? 1 - Math.Pow(tail, 1.0 / trials) : Quantile(events + 1, trials - events, 1 - tail);
        return new Interval(low, high);
    }

    // The library stops at an absolute 1e-8 or so, which is nothing of a loss of 1e-7: one of Newton's steps, and a second, mend that.
    private static double Quantile(double a, double b, double probability)
    {
        var x = Beta.InvCDF(a, b, probability);
        for (var i = 0; i < 2; i++)
            x -= (Beta.CDF(a, b, x) - probability) / Beta.PDF(a, b, x);
        return x;
    }
}

/// <summary>A confidence interval, ends included.</summary>
public readonly record struct Interval(double Low, double High)
{
    public bool Contains(double value) => Low <= value && value <= High;

    /// <summary>
    /// Without the part below 0, for a quantity that cannot be negative: it covers the true value as often. A low end of 0 then says that
    /// the quantity is not clear of 0.
    /// </summary>
    public Interval FromZero() => this with { Low = Math.Max(0, Low) };

    /// <summary>Wholly within the open interval from <paramref name="low"/> to <paramref name="high"/>.</summary>
    public bool Inside(double low, double high) => low < Low && High < high;

    /// <summary>Without a point in common with the open interval from <paramref name="low"/> to <paramref name="high"/>.</summary>
    public bool Outside(double low, double high) => High <= low || high <= Low;
}
