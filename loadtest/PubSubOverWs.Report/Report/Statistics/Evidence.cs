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
    public static Exploratory Of(IReadOnlyList<double> first, IReadOnlyList<double> second) => Of(first, second, PermutationTest.Test);

    /// <summary>Of counted shares, which are permuted by their counts.</summary>
    /// <param name="first">One for each iteration of the first arm.</param>
    /// <param name="second">One for each iteration of the second arm.</param>
    public static Exploratory OfShares(
        IReadOnlyCollection<(long Part, long Whole)> first, IReadOnlyCollection<(long Part, long Whole)> second) => Of(
        [.. first.Select(one => (double)one.Part / one.Whole)],
        [.. second.Select(one => (double)one.Part / one.Whole)],
        (_, _, seed) => PermutationTest.OfShares(first, second, seed));

    private static Exploratory Of(
        IReadOnlyList<double> first, IReadOnlyList<double> second,
        Func<IReadOnlyCollection<double>, IReadOnlyCollection<double>, int, RankTest?> permute) => new(
        Statistics.MannWhitney.Test(first, second),
        Statistics.BrunnerMunzel.Test(first, second),
        permute(first, second, 1),
        HedgesG.IntervalOf(Moments.Of(first), Moments.Of(second), 0.95));
}
