using PubSubOverWs.Experiment.Metrics;
using PubSubOverWs.Experiment.Statistics;

namespace PubSubOverWs.Experiment.Claims;

/// <summary>What an A/A run says of its set-up: the criterion of <see cref="AgainstItself"/>, and the noise floor.</summary>
public static class AgainstItselfJudge
{
    /// <param name="server">Both arms are of it.</param>
    /// <param name="loss">Loss rates in percent, a row for each level.</param>
    /// <param name="latency">Mean latencies, a row for each level.</param>
    /// <param name="bytes">Bytes to clients per delivered message, a row for each level.</param>
    public static Records.SelfComparison Judge(
        string server, IReadOnlyList<Comparison> loss, IReadOnlyList<Comparison> latency, IReadOnlyList<Comparison> bytes)
    {
        double?[] p = [.. loss.Concat(latency).Concat(bytes).Select(row => IsAlike(row) ? null : row.Iterations.Test?.P)];
        var tests = p.Count(one => one is not null);
        return new(server, tests, p.Count(one => one < AgainstItself.Alpha), AgainstItself.MostRejections(tests), Points(loss),
            Floor(latency), Floor(bytes));
    }

    /// <summary>
    /// Both arms have the same mean and the same variance, so nothing can be rejected: no test, or the criterion would be easier to meet.
    /// </summary>
    public static bool IsAlike(Comparison row) => row.First == row.Second;

    private static double? Points(IReadOnlyList<Comparison> rows) =>
        rows.Max(row => row.Count == 0 ? (double?)null : Math.Abs(row.Second.Mean - row.First.Mean));

    private static double? Floor(IReadOnlyList<Comparison> rows) =>
        rows.Max(row => row.Ratio is { } ratio ? Math.Abs(ratio - 1) : (double?)null);
}
