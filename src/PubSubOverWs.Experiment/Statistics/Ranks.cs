namespace PubSubOverWs.Experiment.Statistics;

/// <summary>Ranks from 1 on; equal values share the middle of theirs.</summary>
public static class Ranks
{
    public static double[] Of(ReadOnlySpan<double> values)
    {
        var sorted = values.ToArray();
        var order = new int[sorted.Length];
        for (var i = 0; i < order.Length; i++)
            order[i] = i;
        Array.Sort(sorted, order);
        var ranks = new double[sorted.Length];
        for (int first = 0, next; first < sorted.Length; first = next)
        {
            next = first + 1;
            while (next < sorted.Length && sorted[next] == sorted[first])
                next++;
            for (var i = first; i < next; i++)
                ranks[order[i]] = (first + 1 + next) / 2.0;
        }

        return ranks;
    }

    /// <summary>How many values share each value.</summary>
    public static IEnumerable<int> Ties(IEnumerable<double> values) => values.GroupBy(value => value).Select(group => group.Count());

    /// <summary>P(b above a) + P(b equal to a)/2, of the ranks that <paramref name="b"/> values have among all.</summary>
    internal static double Superiority(ReadOnlySpan<double> b, int a)
    {
        var sum = 0.0;
        foreach (var rank in b)
            sum += rank;
        return (sum - (b.Length * (b.Length + 1) / 2.0)) / ((double)a * b.Length);
    }
}
