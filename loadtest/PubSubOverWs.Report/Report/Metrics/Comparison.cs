using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Report.Metrics;

/// <summary>One row of a table: both arms at one level, with every comparison that a verdict or a report needs.</summary>
public sealed record Comparison
{
    /// <summary>From this many blocks on their means are judged: iterations of one block share a process.</summary>
    public const int LeastBlocks = 5;

    [JsonPropertyName("users")]
    public required Level Level { get; init; }

    /// <inheritdoc cref="Level.Number"/>
    [JsonIgnore]
    public int Users => Level.Number;

    public required Moments First { get; init; }
    public required Moments Second { get; init; }

    public required int Blocks { get; init; }

    /// <summary>Welch's test on iterations: judged with fewer than <see cref="LeastBlocks"/> blocks, and must agree with more.</summary>
    public required Evidence Iterations { get; init; }

    /// <summary>The paired test on block means. Null: fewer than two blocks.</summary>
    public Evidence? BlockMeans { get; init; }

    /// <summary>Welch's test with n_eff. Null: not assessed.</summary>
    public Evidence? Effective { get; init; }

    /// <summary>Of the paired differences. Null: not assessed.</summary>
    public double? LagOne { get; init; }

    /// <summary>The paper's test, Student's pooled one; shown, never judged.</summary>
    public TTest? Pooled { get; init; }

    /// <summary>The intra-class correlation of the blocks of each arm; null: not assessed.</summary>
    public double? FirstIntraClass { get; init; }
    public double? SecondIntraClass { get; init; }

    /// <summary>The medians over iterations, which are robust to a few slow ones; null: no readings.</summary>
    public double? FirstMedian { get; init; }
    public double? SecondMedian { get; init; }

    public double? Ratio { get; init; }

    public double? HedgesG { get; init; }

    /// <summary>Shown, never judged. Null: not requested, since it takes longest of all.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public Exploratory? Exploratory { get; init; }

    /// <summary>The basis of verdicts: paired block means from <see cref="LeastBlocks"/> blocks on, else iterations.</summary>
    [JsonIgnore]
    public Evidence Judged => IsByBlocks ? BlockMeans! : Iterations;

    public bool IsByBlocks => Blocks >= LeastBlocks && BlockMeans is not null;

    /// <summary>n, the smaller of both arms.</summary>
    public int Count => Math.Min(First.Count, Second.Count);

    /// <summary>All values of both arms are equal.</summary>
    public bool ConstantAndEqual => First.Variance == 0 && Second.Variance == 0 && First.Mean == Second.Mean;
}

/// <summary>
/// One metric of a run, in every contrast and at every level: one table, so that Holm's correction is over all rows of all contrasts.
/// </summary>
public sealed record MetricComparisons(Metric Metric, IReadOnlyList<ContrastRows> Contrasts)
{
    public static MetricComparisons Compute(RunFolder folder, Metric metric)
    {
        var contrasts = folder.Run.Scenario.Contrasts;
        var rows = Comparisons.Compute([.. contrasts.SelectMany(contrast => MetricReadings.Read(folder, metric, contrast))]);
        return new MetricComparisons(metric, [.. contrasts.Zip(rows.Chunk(folder.Run.Scenario.Levels.Count),
            (contrast, of) => new ContrastRows(contrast, of))]);
    }
}

/// <summary>One contrast in one metric: a row for each level.</summary>
public sealed record ContrastRows(Contrast Contrast, IReadOnlyList<Comparison> Rows);
