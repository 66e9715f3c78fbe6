namespace PubSubOverWs.Report.Statistics;

/// <summary>The result of a test of ranks or rearrangements. Exploratory: no verdict uses it.</summary>
/// <param name="Superiority">P(b above a) + P(b equal to a)/2, from 0 to 1; 0.5 where neither arm tends to be above the other.</param>
/// <param name="P">Two-sided.</param>
public sealed record RankTest(double Superiority, double P, PMethod Method);

/// <summary>How a p was found.</summary>
public enum PMethod
{
    /// <summary>From all rearrangements of the values.</summary>
    Exact,

    /// <summary>From rearrangements drawn with a seed.</summary>
    Drawn,

    /// <summary>From a distribution that the statistic approaches as n grows.</summary>
    Approximate,
}

/// <summary>Ranks from 1 on; equal values share the middle of theirs.</summary>
public static class Ranks
{
    public static double[] Compute(ReadOnlySpan<double> values)
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

/// <summary>A p as reports write it.</summary>
public static class PText
{
    public static string Text(double? p) => p switch
    {
        null => "–",
        0 => "0",
        >= 0.0001 => p.Value.ToString("F4", CultureInfo.InvariantCulture),
        _ => p.Value.ToString("0.00e0", CultureInfo.InvariantCulture),
    };

    /// <summary>
    /// The same, but of the smallest p that a draw can give only that it is below: no rearrangement that was drawn was as far apart.
    /// </summary>
    public static string Text(RankTest? test) =>
        test is { Method: PMethod.Drawn } && test.P <= Rearrangements.SmallestDrawn ? "< 0.0001" : Text(test?.P);

    /// <summary>With the sign that belongs before it, such as <c>p = 0.0325</c> or <c>p &lt; 0.0001</c>.</summary>
    public static string Equation(RankTest test) => Text(test) is var text && text[0] == '<' ? $"p {text}" : $"p = {text}";
}
