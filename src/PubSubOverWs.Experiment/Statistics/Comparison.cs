using System.Text.Json.Serialization;

namespace PubSubOverWs.Experiment.Statistics;

/// <summary>One row of a table: both arms at one level, compared in every way that a verdict or a report asks for.</summary>
public sealed record Comparison
{
    public required int Users { get; init; }

    public required Moments First { get; init; }

    public required Moments Second { get; init; }

    /// <summary>Blocks in which both arms have a value.</summary>
    public required int Blocks { get; init; }

    /// <summary>Welch's test on iterations: the one that is judged by.</summary>
    public required Evidence Iterations { get; init; }

    /// <summary>The paired test on block means. Null: fewer than two blocks.</summary>
    public Evidence? BlockMeans { get; init; }

    /// <summary>Welch's test with n_eff. Null: not assessed.</summary>
    public Evidence? Effective { get; init; }

    /// <summary>Of the paired differences. Null: not assessed.</summary>
    public double? LagOne { get; init; }

    /// <summary>Student's pooled test, the paper's; shown beside, never judged by.</summary>
    public TTest? Pooled { get; init; }

    /// <summary>The 95 % interval of second - first.</summary>
    public Interval? Difference95 { get; init; }

    /// <summary>second/first.</summary>
    public double? Ratio { get; init; }

    public double? HedgesG { get; init; }

    /// <summary>Shown, never judged by. Null: not asked for, for it takes longest of all.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public Exploratory? Exploratory { get; init; }

    /// <summary>n, the smaller of both arms.</summary>
    public int Count => Math.Min(First.Count, Second.Count);

    /// <summary>Both arms gave one value only, and the same.</summary>
    public bool ConstantAndEqual => First.Variance == 0 && Second.Variance == 0 && First.Mean == Second.Mean;
}
