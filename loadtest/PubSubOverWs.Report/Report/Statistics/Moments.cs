namespace PubSubOverWs.Report.Statistics;

/// <summary>The size, mean and variance of a sample.</summary>
/// <param name="Count">n, the number of iterations.</param>
/// <param name="Mean">0 for an empty sample.</param>
/// <param name="Variance">With n - 1; 0 below two values.</param>
public readonly record struct Moments(int Count, double Mean, double Variance)
{
    public double StandardDeviation => Math.Sqrt(Variance);

    /// <summary>The variance of the mean.</summary>
    public double MeanVariance => Variance / Count;

    public static Moments Of(IReadOnlyCollection<double> values)
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

/// <summary>The middle of some values.</summary>
public static class Median
{
    /// <summary>The mean of the two in the middle when their number is even. Null: there are none, or one of them is missing.</summary>
    public static double? Of(IEnumerable<double?> values)
    {
        var sorted = values.Order().ToArray();
        return sorted is [null, ..] or [] ? null : (sorted[(sorted.Length - 1) / 2] + sorted[sorted.Length / 2]) / 2;
    }
}
