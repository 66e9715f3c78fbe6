using MathNet.Numerics.Distributions;

namespace PubSubOverWs.Experiment.Claims;

/// <summary>The requirements of docs/method.md for every judged row.</summary>
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
        return new(server, tests, p.Count(one => one < Decision.Alpha), MostRejections(tests), Points(loss), Floor(latency), Floor(bytes));
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

    private static double? Points(IReadOnlyList<Comparison> rows) =>
        rows.Max(row => row.Count == 0 ? (double?)null : Math.Abs(row.Second.Mean - row.First.Mean));

    private static double? Floor(IReadOnlyList<Comparison> rows) =>
        rows.Max(row => row.Ratio is { } ratio ? Math.Abs(ratio - 1) : (double?)null);
}
