using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.Experiment.Metrics;

/// <summary>
/// One metric of a run, in every contrast and at every level: one table, so that Holm's correction is over all rows of all contrasts.
/// </summary>
public sealed record MetricComparisons(Metric Metric, IReadOnlyList<ContrastRows> Contrasts)
{
    /// <summary>Of all contrasts, in their order.</summary>
    public IEnumerable<Comparison> Rows => Contrasts.SelectMany(one => one.Rows);

    public static MetricComparisons Of(RunFolder folder, Metric metric)
    {
        var contrasts = folder.Run.Scenario.Contrasts;
        var rows = Comparisons.Of([.. contrasts.SelectMany(contrast => MetricReadings.Read(folder, metric, contrast))]);
        return new MetricComparisons(metric, [.. contrasts.Zip(rows.Chunk(folder.Run.Scenario.Levels.Count),
            (contrast, of) => new ContrastRows(contrast, of))]);
    }
}

/// <summary>One contrast in one metric: a row for each level.</summary>
public sealed record ContrastRows(Contrast Contrast, IReadOnlyList<Comparison> Rows);
