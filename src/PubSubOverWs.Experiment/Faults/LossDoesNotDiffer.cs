namespace PubSubOverWs.Experiment.Faults;

/// <summary>Two arms lose alike: the difference is shown to be below a margin, which "not significant" never shows.</summary>
public sealed record LossDoesNotDiffer(string First, string Second) : LossComparison(First, Second)
{
    public override string Text => $"the losses of {First} and {Second} differ by less than a percentage point";

    protected override bool IsShown(Losses losses) => losses.AreAlike;

    protected override bool IsRefuted(Losses losses) => losses.Differ;
}
