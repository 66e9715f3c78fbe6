using PubSubOverWs.Report.Documents;
using PubSubOverWs.Report.Metrics;

namespace PubSubOverWs.Report.Claims;

/// <summary>
/// In a contrast a metric's ratio second/first is at most so much. It holds where the whole 95 % interval of the judged unit is, and is
/// refuted where none of the interval is.
/// </summary>
/// <param name="Id">Short, and unique in its experiment.</param>
/// <param name="Text">The statement.</param>
/// <param name="Metric">Read of each iteration.</param>
/// <param name="Contrast">Which arm against which.</param>
/// <param name="Most">The largest ratio that it allows.</param>
/// <param name="Required">True: a run that refutes it fails.</param>
public sealed record RatioClaim(string Id, string Text, Metric Metric, Contrast Contrast, double Most, bool Required = false)
    : Claim(Id, Text, Required)
{
    /// <summary>The levels of which it is claimed, in words, such as <c>large messages</c>; null: all.</summary>
    public string? Of { get; init; }

    /// <summary>Whether a level is one of them.</summary>
    public Func<Level, bool> IsOf { get; init; } = _ => true;

    /// <summary>Iterations of each arm that a verdict needs.</summary>
    public int LeastCount { get; init; } = Decision.LeastCount;

    /// <summary>Blocks that a verdict needs: 1 against a server that the run does not start, whose iterations are all one block.</summary>
    public int LeastBlocks { get; init; } = Comparison.LeastBlocks;

    protected override string OfNoLevel => $"claimed of {Of} only";

    public override Verdict At(Level level, ClaimEvidence evidence)
    {
        if (!IsOf(level))
            return Verdict.NotTestable(OfNoLevel) with { IsClaimed = false };
        if (!evidence.IsValid)
            return Verdict.NotTestable("the run is invalid");
        if (evidence.Saturated(Contrast, level) is { } what)
            return Verdict.NotTestable(what);
        if (evidence.Row(Metric, Contrast, level) is not { } row)
            return Verdict.NotTestable($"{Contrast.First} and {Contrast.Second} were not both run");
        if (row.Count < LeastCount || row.Blocks < LeastBlocks)
            return Verdict.NotJudged(
                $"n is {Format.Whole(row.Count)} in {Format.Count(row.Blocks, "block")}, and a verdict needs "
                    + $"{Format.Whole(LeastCount)} in {Format.Whole(LeastBlocks)}");
        if (row.Judged.Ratio95 is not { } interval)
            return Verdict.NotTestable($"the ratio has no interval: {Contrast.First} is not clear of 0, or neither arm varies");
        var reason = $"R is {Format.Ratio(row.Ratio)}, 95 % {Format.Range(interval, Format.Ratio)}";
        return interval.High <= Most ? Verdict.Holding(reason)
            : interval.Low > Most ? Verdict.Refuted(reason)
            : Verdict.Inconclusive(reason);
    }
}
