using System.Text.Json.Serialization;
using PubSubOverWs.Experiment.Claims;
using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Statistics;

namespace PubSubOverWs.Experiment.Compare;

/// <summary>What one way of testing says of one row: by iterations, or by the means of blocks.</summary>
/// <param name="Welch">Of B less A, unpaired: nothing of one run belongs to anything of the other. Null: there is nothing to test.</param>
/// <param name="HolmP">Welch's p, corrected over the levels of its arm and metric.</param>
/// <param name="EquivalenceP">The larger of the two one-sided p, corrected alike. Null: also where there is no margin.</param>
public sealed record Tested(TTest? Welch, double? HolmP, double? EquivalenceP)
{
    /// <summary>
    /// What this says by itself. A difference that is clear and lies within the margin is equivalent: the margin says what matters.
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
    /// <param name="levels">Both samples at each level.</param>
    /// <param name="margin">Null: there is none.</param>
    /// <param name="perMarginUnit">What the margin's absolute part is counted in, in the unit of the samples.</param>
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
