namespace PubSubOverWs.Experiment.Faults.Expectations;

/// <summary>An arm loses less than another, or is shown to lose less than a margin more.</summary>
public sealed record LosesNoMore(string Arm, string Than) : Expectation
{
    /// <summary>True: where neither lost anything the mechanism was absent, and nothing was shown.</summary>
    public bool NeedsLoss { get; init; }

    public override string Text => $"{Arm} loses less than a percentage point more than {Than}";

    public override IReadOnlyList<string> Arms => [Arm, Than];

    protected override ExpectationFinding Look(FaultEvidence evidence)
    {
        var (arm, than) = (evidence.Of(Arm), evidence.Of(Than));
        var losses = Losses.Of(than, arm);
        var nothing = arm.Buckets.Lost + than.Buckets.Lost == 0;
        if (nothing && NeedsLoss)
            return Untested("nothing was lost in either arm: what was to make it so did not");
        var lost = $"{arm.Lost} and {than.Lost} lost";
        if (losses.P is null)
            return Untested($"{lost}; {losses.Text}");
        if (nothing)
            return Decide(true, $"{lost}; {NothingIsLost.Bound(losses.Count)}");
        return losses.SecondIsNoMore ? Decide(true, $"{lost}; {losses.Text}")
            : losses.SecondIsMore ? Decide(false, $"{lost}; {losses.Text}")
            : Untested($"{lost}; {losses.Text}: neither more nor no more is shown");
    }
}
