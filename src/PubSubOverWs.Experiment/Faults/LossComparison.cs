namespace PubSubOverWs.Experiment.Faults;

/// <summary>Something about the difference of two arms' losses, by their iterations.</summary>
/// <param name="First">What is subtracted.</param>
/// <param name="Second">From what.</param>
public abstract record LossComparison(string First, string Second) : Expectation
{
    /// <summary>True: where neither lost anything the mechanism was absent, and nothing was shown.</summary>
    public bool NeedsLoss { get; init; }

    public override IReadOnlyList<string> Arms => [First, Second];

    protected override ExpectationFinding ArmStyle(FaultEvidence evidence)
    {
        var (first, second) = (evidence.Of(First), evidence.Of(Second));
        var losses = Losses.Of(first, second);
        var nothing = first.Buckets.Lost + second.Buckets.Lost == 0;
        if (nothing && NeedsLoss)
            return Untested("nothing was late or lost in either arm: what was to make it so did not");
        var found =
            $"{first.Lost} and {second.Lost} lost; {(nothing && losses.P is not null ? NothingIsLost.Bound(losses.Count) : losses.Text)}";
        return losses.P is null ? Untested(found)
            : nothing || IsShown(losses) ? Decide(true, found)
            : IsRefuted(losses) ? Decide(false, found)
            : Untested($"{found}: neither this nor its contrary is shown");
    }

    protected abstract bool IsShown(Losses losses);

    protected abstract bool IsRefuted(Losses losses);
}
