using System.Globalization;

namespace PubSubOverWs.Experiment.Faults.Expectations;

/// <summary>The subscribers of two arms were away equally long in the mean, within 5 %: otherwise the arms did not suffer the same fault.</summary>
public sealed record WindowsAgree(string First, string Second) : Expectation
{
    public const double Within = 0.05;

    public override string Text => $"subscribers of {First} and {Second} are away equally long, within 5 %";

    public override IReadOnlyList<string> Arms => [First, Second];

    protected override ExpectationFinding Look(FaultEvidence evidence) =>
        (evidence.Of(First).SubscriberAwayMean, evidence.Of(Second).SubscriberAwayMean) is ({ } first and > 0, { } second)
            ? Decide(Math.Abs(second - first) <= Within * first, string.Create(
                CultureInfo.InvariantCulture, $"{first:0.0} ms and {second:0.0} ms in the mean: {((second / first) - 1) * 100:+0.0;-0.0;0.0} %"))
            : Untested("no subscriber was away, or none came back");
}
