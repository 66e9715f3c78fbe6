using PubSubOverWs.Report.Claims;
using PubSubOverWs.Report.Documents;
using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Report.Compare;

/// <summary>The result of <c>compare</c>, as compare.json has it; compare.md is written from it.</summary>
public sealed record RunComparison
{
    /// <summary>The version of compare.json.</summary>
    public int Compare { get; init; } = 1;

    /// <summary>Why the runs should not be compared; not empty only where the user forced it.</summary>
    public required IReadOnlyList<string> Forced { get; init; }

    public required ComparedRun A { get; init; }

    public required ComparedRun B { get; init; }

    public required IReadOnlyList<ComparedTable> Tables { get; init; }

    public static RunComparison From(RunFolder a, RunFolder b) => new()
    {
        Forced = [.. Comparability.ObstaclesAtCommonLevels(a, b), .. Repetitions.Lacking(a, b)],
        A = ComparedRun.From(a),
        B = ComparedRun.From(b),
        Tables = Comparer.Tables(a, b),
    };
}

/// <summary>One arm of two runs in one metric; Holm's correction is over its rows.</summary>
/// <param name="Primary">False: exploratory, so that p is not corrected and no row has a word.</param>
/// <param name="Margin">As the scenario has it; null: it has none, and nothing is shown to be equivalent.</param>
/// <param name="Rows">One for each level of both runs.</param>
public sealed record ComparedTable(string Arm, string Metric, string Unit, bool Primary, string? Margin, IReadOnlyList<ComparedRow> Rows);

/// <summary>One of the compared runs. It has no path: the same folders give the same bytes anywhere.</summary>
/// <param name="Started">UTC.</param>
public sealed record ComparedRun(
    string? Label, DateTimeOffset Started, bool Complete, bool Valid, Scenario Scenario, SetUp SetUp, MachineRecord Machine)
{
    public static ComparedRun From(RunFolder folder) => new(
        folder.Run.Label, folder.Run.Started, folder.Run.Complete, Validity.IsValid(folder), folder.Run.Scenario, folder.Run.SetUp,
        folder.Run.Machine);
}

public static class CompareJson
{
    internal static JsonSerializerOptions Options { get; } = new(JsonText.Options) { Converters = { new ScenarioJson() } };

    public static string Write(RunComparison comparison) => JsonSerializer.Serialize(comparison, Options) + "\n";
}

/// <summary>One arm of two runs at one level, in one metric.</summary>
public sealed record ComparedRow
{
    [JsonPropertyName("users")]
    public required Level Level { get; init; }

    public required Moments A { get; init; }

    public required Moments B { get; init; }

    public required int BlocksA { get; init; }

    public required int BlocksB { get; init; }

    /// <summary>Messages not delivered in time, of those attempted; null: this is not the loss rate.</summary>
    public LossCount? LostA { get; init; }

    public LossCount? LostB { get; init; }

    /// <summary>The 95 % interval of mean(B) - mean(A), by Welch.</summary>
    public Interval? Difference95 { get; init; }

    /// <summary>mean(B)/mean(A); null where mean(A) is 0.</summary>
    public double? Ratio { get; init; }

    /// <summary>By Fieller, for independent samples.</summary>
    public Interval? Ratio95 { get; init; }

    /// <summary>Welch's test on iterations.</summary>
    public required Tested Iterations { get; init; }

    /// <summary>Welch's test on the means of blocks; null: a run has fewer than two.</summary>
    public Tested? BlockMeans { get; init; }

    /// <summary>Null: exploratory.</summary>
    public ComparedWord? Word { get; init; }

    /// <summary>Why it is inconclusive, in a few words; null: it is not.</summary>
    public string? Reason { get; init; }
}

/// <summary>The result of comparing two runs in one row.</summary>
public enum ComparedWord
{
    /// <summary>Neither a difference nor its absence is shown.</summary>
    Inconclusive,

    Higher,

    Lower,

    /// <summary>Whatever the difference is, it lies within the scenario's margin.</summary>
    Equivalent,

    /// <summary>Every iteration of both runs read the same: a fact, and no test.</summary>
    Equal,
}

/// <summary>Exact counts of one arm at one level, over its iterations.</summary>
public readonly record struct LossCount(long Lost, long Attempts);

/// <summary>The test of one row, by iterations or by the means of blocks.</summary>
/// <param name="Welch">Of B less A, unpaired: nothing of one run belongs to anything of the other. Null: there is nothing to test.</param>
/// <param name="HolmP">Welch's p, corrected over the levels of its arm and metric.</param>
/// <param name="EquivalenceP">The larger of the two one-sided p, corrected alike. Null: also where there is no margin.</param>
public sealed record Tested(TTest? Welch, double? HolmP, double? EquivalenceP)
{
    /// <summary>
    /// The word of this test alone. A significant difference within the margin is equivalent: the margin defines what matters.
    /// </summary>
    [JsonIgnore]
    public ComparedWord Word => this switch
    {
        { EquivalenceP: < Decision.Alpha } => ComparedWord.Equivalent,
        { HolmP: < Decision.Alpha, Welch.T: > 0 } => ComparedWord.Higher,
        { HolmP: < Decision.Alpha } => ComparedWord.Lower,
        _ => ComparedWord.Inconclusive,
    };

    /// <summary>Tests the levels of one arm and metric.</summary>
    /// <param name="perMarginUnit">The unit of the margin's absolute part, in the unit of the samples.</param>
    internal static IReadOnlyList<Tested> Family(IReadOnlyList<(Moments A, Moments B)> levels, Margin? margin, double perMarginUnit)
    {
        var welch = levels.Select(level => WelchTest.Test(level.A, level.B)).ToArray();
        var p = Holm.Adjust([.. welch.Select(test => test?.P)]);
        var equivalence = Holm.Adjust([.. levels.Select(level => margin is null
            ? null
            : Equivalence.Within(level.A, level.B, (double)margin.Share, (double)margin.Absolute * perMarginUnit))]);
        return [.. welch.Select((test, i) => new Tested(test, p[i], equivalence[i]))];
    }
}
