using PubSubOverWs.Record.Latency;

namespace PubSubOverWs.Report.Statistics;

/// <summary>
/// Intervals without a formula (Efron 1979): iterations are drawn again with replacement, never messages, which are not independent.
/// </summary>
public static class Bootstrap
{
    public const int Draws = 2_000;

    /// <summary>The percentile interval of any figure of a set of iterations.</summary>
    /// <param name="figure">Of the iterations drawn; null: these have none, and the draw is left out.</param>
    /// <param name="seed">The same seed gives the same interval.</param>
    /// <returns>Null below 2 iterations, or where no draw has the figure.</returns>
    public static Interval? Compute<T>(IReadOnlyList<T> iterations, Func<IReadOnlyList<T>, double?> figure, double confidence, int seed = 1)
    {
        if (iterations.Count < 2)
            return null;
        var random = new Random(seed);
        var drawn = new T[iterations.Count];
        var figures = new List<double>(Draws);
        for (var i = 0; i < Draws; i++)
        {
            for (var k = 0; k < drawn.Length; k++)
                drawn[k] = iterations[random.Next(iterations.Count)];
            if (figure(drawn) is { } value)
                figures.Add(value);
        }

        figures.Sort();
        var tail = (1 - confidence) / 2;
        return figures.Count == 0 ? null : new Interval(At(tail), At(1 - tail));

        double At(double share) => figures[(int)LatencyHistogram.Rank(share, figures.Count) - 1];
    }

    /// <summary>The interval of a quantile of all latencies, in microseconds: iterations are drawn again, their histograms merge.</summary>
    /// <param name="quantile">0.99, for example; nearest rank.</param>
    /// <param name="seed">The same seed gives the same interval.</param>
    /// <returns>Null below 2 iterations, or without a latency.</returns>
    public static Interval? OfQuantile(IReadOnlyList<Distribution> iterations, double quantile, double confidence, int seed = 1)
    {
        // The quantile of a sample of iterations is between the lowest and the highest of its parts: there it is searched, not summed up
        // cell by cell.
        var own = iterations.Where(one => one.Count > 0).Select(one => one.IndexAt(quantile)).DefaultIfEmpty().ToArray();
        var lowest = own.Min();
        var highest = own.Max();
        var times = new int[iterations.Count];
        return Compute([.. Enumerable.Range(0, iterations.Count)], Quantile, confidence, seed);

        double? Quantile(IReadOnlyList<int> drawn)
        {
            Array.Clear(times);
            foreach (var iteration in drawn)
                times[iteration]++;
            var count = Sum(int.MaxValue);
            if (count == 0)
                return null;
            var rank = LatencyHistogram.Rank(quantile, count);
            var low = lowest;
            var high = highest;
            while (low < high)
            {
                var middle = (low + high) >>> 1;
                if (Sum(middle) >= rank)
                    high = middle;
                else
                    low = middle + 1;
            }

            return LatencyHistogram.HighestAt(low);
        }

        long Sum(int index)
        {
            long sum = 0;
            for (var i = 0; i < times.Length; i++)
            {
                if (times[i] > 0)
                    sum += times[i] * iterations[i].CountUpTo(index);
            }

            return sum;
        }
    }
}

/// <summary>A percentile of many messages.</summary>
/// <param name="Percent">99.9, for example.</param>
/// <param name="Ms">This percentage of the messages was not slower.</param>
/// <param name="Ms95">By bootstrap over iterations; null where there is one only.</param>
public sealed record Percentile(double Percent, double Ms, Interval? Ms95)
{
    /// <summary>For example p99.9.</summary>
    public string Name => NameOf(Percent);

    internal static string NameOf(double percent) => "p" + percent.ToString("0.###", CultureInfo.InvariantCulture);
}
