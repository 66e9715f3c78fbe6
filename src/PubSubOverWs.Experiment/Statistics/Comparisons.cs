namespace PubSubOverWs.Experiment.Statistics;

/// <summary>Compares the rows of one table for its one primary metric; Holm's correction is over these rows.</summary>
public static class Comparisons
{
    public static IReadOnlyList<Comparison> Of(IReadOnlyList<LevelReadings> rows)
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
        var direct = Moments.Of([.. row.Direct.Select(reading => reading.Value)]);
        var pubsub = Moments.Of([.. row.PubSub.Select(reading => reading.Value)]);
        var blocks = row.BlockMeans;
        var lag = Autocorrelation.LagOne([.. row.Pairs.Select(pair => pair.PubSub - pair.Direct)]);
        return new Comparison
        {
            Users = row.Users,
            Direct = direct,
            PubSub = pubsub,
            Blocks = blocks.Count,
            Iterations = OfIterations(direct, pubsub, 1),
            BlockMeans = blocks.Count < 2 ? null : OfBlocks(blocks),
            LagOne = lag,
            Effective = lag is { } r ? OfIterations(direct, pubsub, Autocorrelation.EffectiveShare(r)) : null,
            Pooled = PooledTest.Test(direct, pubsub),
            Difference95 = WelchTest.Difference(direct, pubsub, 0.95),
            Ratio = direct.Count == 0 || pubsub.Count == 0 ? null : Ratio.Of(direct, pubsub),
            HedgesG = HedgesG.Of(direct, pubsub),
        };
    }

    private static Evidence OfIterations(Moments direct, Moments pubsub, double share) => new()
    {
        Test = WelchTest.Test(direct, pubsub, share),
        Ratio95 = Ratio.Fieller(direct, pubsub, 0.95, share),
        Ratio90 = Ratio.Fieller(direct, pubsub, 0.90, share),
    };

    private static Evidence OfBlocks(IReadOnlyList<(double Direct, double PubSub)> means) => new()
    {
        Test = PairedTest.Test([.. means.Select(pair => pair.PubSub - pair.Direct)]),
        Ratio95 = Ratio.PairedFieller(means, 0.95),
        Ratio90 = Ratio.PairedFieller(means, 0.90),
    };
}
