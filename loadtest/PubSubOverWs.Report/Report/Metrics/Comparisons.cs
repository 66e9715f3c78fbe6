using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Report.Metrics;

/// <summary>Compares the rows of one table, of all its contrasts, for its one metric; Holm's correction is over these rows.</summary>
internal static class Comparisons
{
    public static IReadOnlyList<Comparison> Compute(IReadOnlyList<LevelReadings> rows)
    {
        var compared = rows.Select(Compare).ToArray();
        var iterations = Holm.Adjust([.. compared.Select(row => row.Iterations.Test?.P)]);
        var blocks = Holm.Adjust([.. compared.Select(row => row.BlockMeans?.Test?.P)]);
        // A row whose iterations are independent enough keeps its own p in this family.
        var effective = Holm.Adjust([.. compared.Select(row => (row.Effective ?? row.Iterations).Test?.P)]);
        return [.. compared.Select((row, i) => row with
        {
            Iterations = row.Iterations with { HolmP = iterations[i] },
            BlockMeans = row.BlockMeans is { } means ? means with { HolmP = blocks[i] } : null,
            Effective = row.Effective is { } fewer ? fewer with { HolmP = effective[i] } : null,
        })];
    }

    private static Comparison Compare(LevelReadings row)
    {
        var first = Moments.Compute([.. row.First.Select(reading => reading.Value)]);
        var second = Moments.Compute([.. row.Second.Select(reading => reading.Value)]);
        var blocks = row.BlockMeans;
        var lag = Autocorrelation.LagOne([.. row.Pairs.Select(pair => pair.Second - pair.First)]);
        return new Comparison
        {
            Level = row.Level,
            First = first,
            Second = second,
            Blocks = blocks.Count,
            Iterations = OfIterations(row, first, second, 1),
            BlockMeans = blocks.Count < 2 ? null : OfBlocks(row),
            LagOne = lag,
            Effective = lag is { } r ? OfIterations(row, first, second, Autocorrelation.EffectiveShare(r)) : null,
            Pooled = PooledTest.Test(first, second),
            FirstIntraClass = IntraClass.Correlation(Blocks(row.First)),
            SecondIntraClass = IntraClass.Correlation(Blocks(row.Second)),
            FirstMedian = Median.Compute(row.First.Select(reading => (double?)reading.Value)),
            SecondMedian = Median.Compute(row.Second.Select(reading => (double?)reading.Value)),
            Ratio = first.Count == 0 || second.Count == 0 ? null : Ratio.Compute(first, second),
            HedgesG = HedgesG.Compute(first, second),
        };
    }

    private static Evidence OfIterations(LevelReadings row, Moments first, Moments second, double share) => new()
    {
        Test = WelchTest.Test(first, second, share),
        Difference = second.Mean - first.Mean,
        Difference95 = WelchTest.Difference(first, second, 0.95, share),
        Difference90 = WelchTest.Difference(first, second, 0.90, share),
        Ratio95 = row.PossibleOf(Ratio.Fieller(first, second, 0.95, share)),
        Ratio90 = row.PossibleOf(Ratio.Fieller(first, second, 0.90, share)),
    };

    private static Evidence OfBlocks(LevelReadings row)
    {
        var means = row.BlockMeans;
        var differences = Moments.Compute([.. means.Select(pair => pair.Second - pair.First)]);
        return new Evidence
        {
            Test = PairedTest.Test(differences),
            Difference = means.Average(pair => pair.Second - pair.First),
            Difference95 = PairedTest.Difference(differences, 0.95),
            Difference90 = PairedTest.Difference(differences, 0.90),
            Ratio95 = row.PossibleOf(Ratio.PairedFieller(means, 0.95)),
            Ratio90 = row.PossibleOf(Ratio.PairedFieller(means, 0.90)),
        };
    }

    private static IReadOnlyCollection<double>[] Blocks(IReadOnlyList<Reading> readings) =>
        [.. readings.GroupBy(reading => reading.Block).Select(block => block.Select(reading => reading.Value).ToArray())];
}
