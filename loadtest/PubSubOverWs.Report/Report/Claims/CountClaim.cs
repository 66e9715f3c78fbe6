using PubSubOverWs.Report.Documents;
using PubSubOverWs.Report.Metrics;
namespace PubSubOverWs.Report.Claims;

/// <summary>
/// Something does not happen to any message of some arms. A count is exact: one is enough to refute it, in a run of any size, and a run
/// that is too small for other verdicts says that it holds so far.
/// </summary>
/// <param name="Id">Short, and unique in its experiment.</param>
/// <param name="Text">The statement.</param>
/// <param name="Arms">Of which it is claimed; those that are not run are passed over.</param>
/// <param name="What">The counted event, such as <c>lost</c>.</param>
/// <param name="Count">How often it happened in one arm at one level.</param>
/// <param name="Required">True: a run that refutes it fails.</param>
public sealed record CountClaim(
    string Id, string Text, IReadOnlyList<string> Arms, string What, Func<ArmLevel, long> Count, bool Required = false)
    : Claim(Id, Text, Required)
{
    /// <summary>The only flow whose messages are counted; null: all that are judged.</summary>
    public Flow? Flow { get; init; }

    /// <summary>The levels of which it is claimed, in words, such as <c>resuming clients</c>; null: all.</summary>
    public string? Of { get; init; }

    /// <summary>Whether a level is one of them.</summary>
    public Func<Level, bool> IsOf { get; init; } = _ => true;

    /// <summary>How many there are that it could have happened to; by itself all attempts.</summary>
    public Func<ArmLevel, long> Among { get; init; } = level => level.Buckets.Attempts;

    public override Verdict At(Level level, ClaimEvidence evidence)
    {
        if (!evidence.IsValid)
            return Verdict.NotTestable("the run is invalid");
        if (!IsOf(level))
            return Verdict.NotTestable($"claimed of {Of} only") with { IsClaimed = false };
        ArmLevel[] arms =
        [
            .. from name in Arms
               let arm = evidence.Of(name, level)
               where arm.Rows.Count > 0
               select Flow is null ? arm : arm.Only(Flow.Name),
        ];
        if (arms.Length == 0)
            return Verdict.NotTestable($"{string.Join(", ", Arms)} were not run");
        var counts = arms.Select(arm => (Arm: arm, Count: Count(arm))).ToArray();
        if (Array.Exists(counts, one => one.Count > 0))
            return Verdict.Refuted(string.Join(", ", counts.Where(one => one.Count > 0).Select(one =>
                $"{one.Arm.Arm}: {Format.Whole(one.Count)} of {Format.Whole(Among(one.Arm))} {What}")));
        var reason = $"none of {Format.Whole(arms.Sum(Among))} {What}";
        return evidence.IsComplete && Array.TrueForAll(arms, IsLarge) ? Verdict.Holding(reason) : Verdict.HoldingSoFar(reason);
    }

    // Whether there are enough iterations for "holds", and not "holds so far" alone.
    internal static bool IsLarge(ArmLevel arm) => arm.Rows.Count >= Decision.LeastCount
        && arm.Rows.Select(row => row.Block).Distinct().Count() >= Comparison.LeastBlocks;
}
