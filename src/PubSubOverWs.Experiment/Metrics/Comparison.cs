using System.Text.Json.Serialization;
using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Statistics;

namespace PubSubOverWs.Experiment.Metrics;

/// <summary>One row of a table: both arms at one level, compared in every way that a verdict or a report asks for.</summary>
public sealed record Comparison
{
    /// <summary>From so many blocks on their means are the unit that is judged: iterations of one block share a process.</summary>
    public const int LeastBlocks = 5;

    [JsonPropertyName("users")]
    public required Level Level { get; init; }

    /// <summary>The level, where the only factor is the number of users.</summary>
    [JsonIgnore]
    public int Users => Level.Number;

    public required Moments First { get; init; }

    public required Moments Second { get; init; }

    /// <summary>Blocks in which both arms have a value.</summary>
    public required int Blocks { get; init; }

    /// <summary>
    /// Welch's test on iterations: judged by where there are fewer than <see cref="LeastBlocks"/> blocks, and must agree where there are
    /// more.
    /// </summary>
    public required Evidence Iterations { get; init; }

    /// <summary>The paired test on block means. Null: fewer than two blocks.</summary>
    public Evidence? BlockMeans { get; init; }

    /// <summary>Welch's test with n_eff. Null: not assessed.</summary>
    public Evidence? Effective { get; init; }

    /// <summary>Of the paired differences. Null: not assessed.</summary>
    public double? LagOne { get; init; }

    /// <summary>Student's pooled test, the paper's; shown beside, never judged by.</summary>
    public TTest? Pooled { get; init; }

    /// <summary>How much readings of one block resemble each other in the first arm; null: not assessed.</summary>
    public double? FirstIntraClass { get; init; }

    /// <summary>The same in the second arm.</summary>
    public double? SecondIntraClass { get; init; }

    /// <summary>The medians over iterations, which a few slow ones do not move; null: an arm has no readings.</summary>
    public double? FirstMedian { get; init; }

    public double? SecondMedian { get; init; }

    /// <summary>second/first.</summary>
    public double? Ratio { get; init; }

    public double? HedgesG { get; init; }

    /// <summary>Shown, never judged by. Null: not asked for, for it takes longest of all.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public Exploratory? Exploratory { get; init; }

    /// <summary>What is judged by, and comes first: paired block means from <see cref="LeastBlocks"/> blocks on, else iterations.</summary>
    [JsonIgnore]
    public Evidence Judged => IsByBlocks ? BlockMeans! : Iterations;

    /// <summary>The unit that is judged is the block.</summary>
    public bool IsByBlocks => Blocks >= LeastBlocks && BlockMeans is not null;

    /// <summary>n, the smaller of both arms.</summary>
    public int Count => Math.Min(First.Count, Second.Count);

    /// <summary>Both arms gave one value only, and the same.</summary>
    public bool ConstantAndEqual => First.Variance == 0 && Second.Variance == 0 && First.Mean == Second.Mean;
}
