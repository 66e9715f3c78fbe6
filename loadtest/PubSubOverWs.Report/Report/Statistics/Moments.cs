namespace PubSubOverWs.Report.Statistics;

/// <summary>The size, mean and variance of a sample.</summary>
/// <param name="Count">n, the number of iterations.</param>
/// <param name="Mean">0 for an empty sample.</param>
/// <param name="Variance">With n - 1; 0 below two values.</param>
public readonly record struct Moments(int Count, double Mean, double Variance)
{
    public double StandardDeviation => Math.Sqrt(Variance);

    public double MeanVariance => Variance / Count;

    public static Moments Compute(IReadOnlyCollection<double> values)
    {
        if (values.Count == 0)
            return default;
        // Equal values have exactly no variance; rounding of their mean must not invent one.
        var first = values.First();
        if (values.All(value => value == first))
            return new Moments(values.Count, first, 0);
        var mean = values.Average();
        return new Moments(values.Count, mean, values.Sum(x => (x - mean) * (x - mean)) / (values.Count - 1));
    }

    /// <summary>Of <paramref name="factor"/> times each value, and <paramref name="added"/> more.</summary>
    public Moments Scaled(double factor, double added) => new(Count, (factor * Mean) + added, factor * factor * Variance);

    /// <summary>From a printed mean and standard deviation, as papers give them.</summary>
    public static Moments Printed(int count, double mean, double standardDeviation) =>
        new(count, mean, standardDeviation * standardDeviation);
}

public static class Median
{
    /// <summary>The mean of the two in the middle when their number is even. Null: there are none, or one of them is missing.</summary>
    public static double? Compute(IEnumerable<double?> values)
    {
        var sorted = values.Order().ToArray();
        return sorted is [null, ..] or [] ? null : (sorted[(sorted.Length - 1) / 2] + sorted[sorted.Length / 2]) / 2;
    }
}

/// <summary>Whether neighbouring iterations resemble each other, and what that leaves of n.</summary>
public static class Autocorrelation
{
    /// <summary>With fewer values the lag-1 coefficient is not assessed.</summary>
    public const int LeastCount = 20;

    /// <summary>The lag-1 coefficient of a series in the order in which it was measured.</summary>
    /// <returns>Null below <see cref="LeastCount"/> values, or where all are equal.</returns>
    public static double? LagOne(IReadOnlyList<double> series)
    {
        var moments = Moments.Compute(series);
        if (series.Count < LeastCount || moments.Variance == 0)
            return null;
        var d = series.Select(x => x - moments.Mean).ToArray();
        return Enumerable.Range(0, d.Length - 1).Sum(i => d[i] * d[i + 1]) / d.Sum(x => x * x);
    }

    /// <summary>n_eff/n = (1 - r)/(1 + r); 1 where r is not above 0, since alternation adds no information.</summary>
    public static double EffectiveShare(double r) => r > 0 ? (1 - r) / (1 + r) : 1;
}

/// <summary>The resemblance of iterations of one block: intra-class correlation of a one-way analysis of variance (Fisher 1925).</summary>
public static class IntraClass
{
    /// <summary>
    /// (MSB - MSW)/(MSB + (k - 1) MSW), with k the mean size of a block, adjusted where sizes differ. 1: the readings of a block are equal;
    /// 0: blocks do not matter; may be below 0.
    /// </summary>
    /// <returns>Null below 2 blocks, where no block has 2 readings, or where all readings are equal.</returns>
    public static double? Correlation(IReadOnlyCollection<IReadOnlyCollection<double>> blocks)
    {
        var count = blocks.Sum(block => block.Count);
        if (blocks.Count < 2 || count == blocks.Count)
            return null;
        var mean = blocks.Sum(block => block.Sum()) / count;
        var moments = blocks.Select(Moments.Compute).ToArray();
        var between = moments.Sum(block => block.Count * (block.Mean - mean) * (block.Mean - mean)) / (blocks.Count - 1);
        var within = moments.Sum(block => (block.Count - 1) * block.Variance) / (count - blocks.Count);
        var size = (count - (moments.Sum(block => (double)block.Count * block.Count) / count)) / (blocks.Count - 1);
        return between + within == 0 ? null : (between - within) / (between + ((size - 1) * within));
    }
}

/// <summary>Whether losses are spread over the iterations like independent events.</summary>
public static class Dispersion
{
    /// <summary>Up to this index losses may be counted as independent messages.</summary>
    public const double LargestForMessages = 1.5;

    /// <summary>variance/mean of the counts: about 1 for independent events, above for losses that come together.</summary>
    /// <returns>Null below two iterations, or where nothing was lost.</returns>
    public static double? Index(IReadOnlyCollection<double> counts)
    {
        var moments = Moments.Compute(counts);
        return moments.Count < 2 || moments.Mean == 0 ? null : moments.Variance / moments.Mean;
    }
}
