using PubSubOverWs.Report.Documents;
using PubSubOverWs.Report.Metrics;

namespace PubSubOverWs.Report.Claims;

/// <summary>
/// An arm holds some of the offered rates, as a <see cref="KneeRule"/> says, in every iteration. A run that is too small for other verdicts
/// says that it holds so far; where the core of the load was the limit, the run does not decide.
/// </summary>
/// <param name="Id">Short, and unique in its experiment.</param>
/// <param name="Text">The statement.</param>
/// <param name="Arm">Of which it is claimed.</param>
/// <param name="Rule">When a rate is held.</param>
/// <param name="Limit">Of the p99 latency.</param>
/// <param name="IsAbout">Whether it is claimed at a level.</param>
public sealed record HeldRateClaim(
    string Id, string Text, string Arm, KneeRule Rule, KneeLimit Limit, Func<Scenario, Level, bool> IsAbout) : Claim(Id, Text)
{
    protected override string OfNoLevel => "no level is one that it is about";

    public override Verdict At(Level level, ClaimEvidence evidence)
    {
        var run = evidence.Folder.Run;
        if (!IsAbout(run.Scenario, level))
            return new Verdict("not claimed", null, "the claim is about other levels") { IsClaimed = false };
        if (!evidence.IsValid)
            return Verdict.NotTestable("the run is invalid");
        var arm = evidence.Of(Arm, level);
        if (arm.Rows.Count == 0)
            return Verdict.NotTestable($"{Arm} was not run");
        if (arm.Rows.FirstOrDefault(row => !Rule.Holds(row, Limit)) is { } failed)
        {
            var why = Rule.WhyNot(failed, Limit)!;
            return Validity.LoadCoreShare(run, failed) >= Validity.LargestCoreShare
                ? Verdict.Inconclusive($"{why}, and the load's own core was the limit")
                : Verdict.Refuted(why);
        }

        var reason = $"p99 at most {Format.Short(arm.Rows.Max(row => row.Latency.P99) / 1000)} ms, none of "
            + $"{Format.Whole(arm.Buckets.Attempts)} lost";
        return evidence.IsComplete && CountClaim.IsLarge(arm) ? Verdict.Holding(reason) : Verdict.HoldingSoFar(reason);
    }
}
