using MathNet.Numerics.Distributions;
using PubSubOverWs.Report.Metrics;

namespace PubSubOverWs.Report.Claims;

/// <summary>The requirements of docs/reference/method.md for every judged row.</summary>
public static class Decision
{
    public const double Alpha = 0.05;

    /// <summary>Iterations of each arm that a verdict needs.</summary>
    public const int LeastCount = 20;

    /// <summary>True: the row has enough iterations and blocks for a verdict.</summary>
    public static bool IsJudged(Comparison row) => row.Count >= LeastCount && row.IsByBlocks;
}

/// <summary>
/// The findings of an A/A run about its set-up: the noise floor, and whether two separately started instances of one server differ more
/// often than by chance.
/// </summary>
public static class AgainstItselfJudge
{
    /// <param name="server">The target of both arms.</param>
    /// <param name="loss">Loss rates in percent, a row for each level.</param>
    /// <param name="latency">Mean latencies, a row for each level.</param>
    /// <param name="bytes">Bytes to clients per delivered message, a row for each level.</param>
    public static SelfComparison Judge(
        string server, IReadOnlyList<Comparison> loss, IReadOnlyList<Comparison> latency, IReadOnlyList<Comparison> bytes)
    {
        double?[] p = [.. loss.Concat(latency).Concat(bytes).Select(row => IsAlike(row) ? null : row.Iterations.Test?.P)];
        var tests = p.Count(one => one is not null);
        return new(server, tests, p.Count(one => one < Decision.Alpha), MostRejections(tests), Points(loss), Factor(latency),
            Factor(bytes));
    }

    /// <summary>
    /// The number of rejections at 0.05 that chance still explains: 4 of 18, 11 of 100, 28 of 360. With more the set-up fails, which
    /// happens to a good one in at most 1 % of cases.
    /// </summary>
    /// <param name="tests">0 or more.</param>
    public static int MostRejections(int tests) =>
        Enumerable.Range(0, tests + 1).First(most => most == tests || 1 - Binomial.CDF(Decision.Alpha, tests, most) <= 0.01);

    /// <summary>
    /// Both arms have the same mean and the same variance, so that no test could reject: counting one would make the criterion easier.
    /// </summary>
    public static bool IsAlike(Comparison row) => row.First == row.Second;

    // The ends of the intervals, not their middles: so much may two instances differ by.
    private static double? Points(IReadOnlyList<Comparison> rows) => Largest(rows, row =>
        row.Judged.Difference95 is { } interval ? Math.Max(Math.Abs(interval.Low), Math.Abs(interval.High)) : null, alike: 0);

    private static double? Factor(IReadOnlyList<Comparison> rows) => Largest(rows, row =>
        row.Judged.Ratio95 is { Low: > 0 } interval ? Math.Max(1 / interval.Low, interval.High) : null, alike: 1);

    // Null where one level has no end.
    private static double? Largest(IReadOnlyList<Comparison> rows, Func<Comparison, double?> of, double alike)
    {
        double?[] known = [.. rows.Where(row => row.Count > 0).Select(row => row.ConstantAndEqual ? alike : of(row))];
        return known.Length == 0 || known.Contains(null) ? null : known.Max();
    }
}
