namespace PubSubOverWs.LoadTest.Experiments.Paper.Predictions;

/// <summary>Expected differences between the losses of two arms, compared by their blocks (<see cref="Losses"/>).</summary>
public static class ExpectedDifference
{
    /// <summary>The losses of two arms are equivalent: their difference is shown to be below a margin.</summary>
    /// <param name="first">The arm that is subtracted.</param>
    /// <param name="second">From what.</param>
    /// <param name="needsLoss">True: without any loss the mechanism was absent, so that nothing is shown.</param>
    public static Expectation None(string first, string second, bool needsLoss = false) => new(
        "losses-do-not-differ", $"the losses of {first} and {second} differ by less than a percentage point", [first, second],
        evidence => Compare(evidence.Of(first), evidence.Of(second), needsLoss, losses => losses.AreAlike, losses => losses.Differ));

    /// <summary>An arm loses less than another, or more by less than a margin.</summary>
    /// <param name="arm">Which.</param>
    /// <param name="than">The other.</param>
    /// <param name="needsLoss">True: without any loss the mechanism was absent, so that nothing is shown.</param>
    public static Expectation NoMore(string arm, string than, bool needsLoss = false) => new(
        "loses-no-more", $"{arm} loses less than a percentage point more than {than}", [than, arm],
        evidence => Compare(
            evidence.Of(than), evidence.Of(arm), needsLoss, losses => losses.SecondIsNoMore, losses => losses.SecondIsMore));

    private static ExpectationAnswer Compare(
        ArmEvidence first, ArmEvidence second, bool needsLoss, Predicate<Losses> isShown, Predicate<Losses> isRefuted)
    {
        var losses = Losses.Of(first, second);
        var nothing = first.Buckets.Lost + second.Buckets.Lost == 0;
        if (nothing && needsLoss)
            return new(null, "no message was late or lost in either arm, so the fault had no effect");
        var found =
            $"{first.Lost} and {second.Lost} lost; "
                + (nothing && losses.P is not null
                    ? ExpectedLoss.NoneIn(Math.Min(first.Level.Rows.Count, second.Level.Rows.Count))
                    : losses.Text);
        return losses.P is null ? ExpectationAnswer.OfTooSmall(found)
            : nothing || isShown(losses) ? new(true, found)
            : isRefuted(losses) ? new(false, found)
            : new(null, $"{found}: neither this nor its opposite is shown");
    }
}
