using System.Text.Json.Serialization;

namespace PubSubOverWs.Experiment.Statistics;

/// <summary>What one way of testing a row says. Verdicts look at nothing else.</summary>
public sealed record Evidence
{
    /// <summary>Null: there was nothing to test.</summary>
    public TTest? Test { get; init; }

    /// <summary>The test's p after Holm's correction over the rows of its table.</summary>
    public double? HolmP { get; init; }

    /// <summary>second - first.</summary>
    public double Difference { get; init; }

    /// <summary>The 95 % interval of second - first; null: there is none.</summary>
    public Interval? Difference95 { get; init; }

    /// <summary>
    /// The 90 % interval of second - first; null: there is none. Not shown: it is inside a margin exactly where two one-sided tests at
    /// 0.05 say so.
    /// </summary>
    [JsonIgnore]
    public Interval? Difference90 { get; init; }

    /// <summary>The 95 % interval of second/first; null: there is none.</summary>
    public Interval? Ratio95 { get; init; }

    /// <summary>The 90 % interval of second/first; null: there is none.</summary>
    public Interval? Ratio90 { get; init; }

    /// <summary>The sign of second - first: -1, 0, 1.</summary>
    public int Sign => Test is null ? 0 : Math.Sign(Test.T);
}
