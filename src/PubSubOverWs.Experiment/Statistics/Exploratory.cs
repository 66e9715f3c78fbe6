namespace PubSubOverWs.Experiment.Statistics;

/// <summary>
/// Other ways of looking at a row. No verdict looks at them, and no correction covers them: they are shown, and labelled so.
/// </summary>
/// <param name="MannWhitney">Null: nothing to test.</param>
/// <param name="BrunnerMunzel">Null: nothing to test.</param>
/// <param name="Permutation">Of the difference of means over iterations; null: nothing to test.</param>
/// <param name="HedgesG95">The exact 95 % interval of g; null: there is no g.</param>
public sealed record Exploratory(RankTest? MannWhitney, RankTest? BrunnerMunzel, RankTest? Permutation, Interval? HedgesG95)
{
    /// <param name="first">One value for each iteration of the first arm.</param>
    /// <param name="second">The same of the second.</param>
    public static Exploratory Of(IReadOnlyList<double> first, IReadOnlyList<double> second) => Of(first, second, PermutationTest.Test);

    /// <summary>Of shares that were counted: permuted by their counts, as wherever the same readings are permuted.</summary>
    /// <param name="first">One for each iteration of the first arm.</param>
    /// <param name="second">The same of the second.</param>
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
