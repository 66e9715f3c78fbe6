namespace PubSubOverWs.Experiment.Statistics;

/// <summary>Other ways of looking at a row. No verdict looks at them, and no correction covers them: they are shown, and labelled so.</summary>
/// <param name="MannWhitney">Null: nothing to test.</param>
/// <param name="BrunnerMunzel">Null: nothing to test.</param>
/// <param name="Permutation">Of the difference of means over iterations; null: nothing to test.</param>
/// <param name="HedgesG95">The exact 95 % interval of g; null: there is no g.</param>
public sealed record Exploratory(RankTest? MannWhitney, RankTest? BrunnerMunzel, RankTest? Permutation, Interval? HedgesG95)
{
    public static Exploratory Of(LevelReadings level) => Of([.. level.First.Select(reading => reading.Value)], [.. level.Second.Select(reading => reading.Value)]);

    private static Exploratory Of(IReadOnlyList<double> first, IReadOnlyList<double> second) => new(
        Statistics.MannWhitney.Test(first, second),
        Statistics.BrunnerMunzel.Test(first, second),
        PermutationTest.Test(first, second),
        HedgesG.IntervalOf(Moments.Of(first), Moments.Of(second), 0.95));
}
