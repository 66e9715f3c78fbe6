namespace PubSubOverWs.Experiment.Faults;

/// <summary>An arm loses less than another, or is shown to lose less than a margin more.</summary>
public sealed record LosesNoMore(string Arm, string Than) : LossComparison(Than, Arm)
{
    public override string Text => $"{Arm} loses less than a percentage point more than {Than}";

    protected override bool IsShown(Losses losses) => losses.SecondIsNoMore;

    protected override bool IsRefuted(Losses losses) => losses.SecondIsMore;
}
