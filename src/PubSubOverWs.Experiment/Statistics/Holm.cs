namespace PubSubOverWs.Experiment.Statistics;

/// <summary>Holm's step-down correction for several tests (Holm 1979).</summary>
public static class Holm
{
    /// <summary>The adjusted p in the order given. Null stays null and is no test: it does not count.</summary>
    public static IReadOnlyList<double?> Adjust(IReadOnlyList<double?> p)
    {
        var order = Enumerable.Range(0, p.Count).Where(i => p[i] is not null).OrderBy(i => p[i]).ToArray();
        var adjusted = new double?[p.Count];
        var least = 0.0;
        for (var rank = 0; rank < order.Length; rank++)
        {
            least = Math.Max(least, Math.Min(1, (order.Length - rank) * p[order[rank]]!.Value));
            adjusted[order[rank]] = least;
        }

        return adjusted;
    }
}
