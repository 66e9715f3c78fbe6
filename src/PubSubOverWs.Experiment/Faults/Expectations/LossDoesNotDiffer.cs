namespace PubSubOverWs.Experiment.Faults.Expectations;

/// <summary>Two arms lose alike: the difference is shown to be below a margin, which "not significant" never shows.</summary>
public sealed record LossDoesNotDiffer(string First, string Second) : Expectation
{
    /// <summary>True: where neither lost anything the mechanism was absent, and nothing was shown.</summary>
    public bool NeedsLoss { get; init; }

    public override string Text => $"the losses of {First} and {Second} differ by less than a percentage point";

    public override IReadOnlyList<string> Arms => [First, Second];

    protected override ExpectationFinding Look(FaultEvidence evidence)
    {
        var (first, second) = (evidence.Of(First), evidence.Of(Second));
        var losses = Losses.Of(first, second);
        var nothing = first.Buckets.Lost + second.Buckets.Lost == 0;
        if (nothing && NeedsLoss)
            return Untested("nothing was late or lost in either arm: what was to make it so did not");
        var lost = $"{first.Lost} and {second.Lost} lost";
        if (losses.P is null)
            return Untested($"{lost}; {losses.Text}");
        if (nothing)
            return Decide(true, $"{lost}; {NothingIsLost.Bound(losses.Count)}");
        return losses.AreAlike ? Decide(true, $"{lost}; {losses.Text}")
            : losses.Differ ? Decide(false, $"{lost}; {losses.Text}")
            : Untested($"{lost}; {losses.Text}: neither a difference nor that there is none is shown");
    }
}
