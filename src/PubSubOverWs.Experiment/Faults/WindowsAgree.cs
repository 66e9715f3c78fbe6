using System.Globalization;

namespace PubSubOverWs.Experiment.Faults;

/// <summary>
/// The subscribers of two arms were away equally long, all windows together, within 5 %: otherwise the arms did not suffer the same fault.
/// </summary>
public sealed record WindowsAgree(string First, string Second) : Expectation
{
    public const double Within = 0.05;

    public override string Text => $"subscribers of {First} and {Second} are away equally long, within 5 %";

    public override IReadOnlyList<string> Arms => [First, Second];

    protected override ExpectationFinding ArmStyle(FaultEvidence evidence)
    {
        var (first, second) = (evidence.Of(First), evidence.Of(Second));
        if (first.NeverBack + second.NeverBack is > 0 and var never)
            return Untested(string.Create(CultureInfo.InvariantCulture, $"{never} clients did not come back"));
        if (first.SubscriberAwayMean is not { } mean || second.SubscriberAwayMean is not { } other)
            return Untested("no subscriber of one of them was away");
        var (one, two) = (PerIteration(first), PerIteration(second));
        return Decide(Math.Abs(two - one) <= Within * one, string.Create(
            CultureInfo.InvariantCulture,
            $"{mean:0.0} ms and {other:0.0} ms in the mean; all together {((two / one) - 1) * 100:+0.0;-0.0;0.0} %"));
    }

    private static double PerIteration(ArmEvidence arm) => arm.SubscribersAway!.Value.TotalMilliseconds / arm.Faults.Count;
}
