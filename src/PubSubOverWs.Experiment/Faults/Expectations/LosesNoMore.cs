using System.Globalization;
using PubSubOverWs.Experiment.Statistics;
using PubSubOverWs.Experiment.Verdicts;

namespace PubSubOverWs.Experiment.Faults.Expectations;

/// <summary>An arm loses less than another, as much, or so little more that a permutation of iterations does not tell them apart.</summary>
public sealed record LosesNoMore(string Arm, string Than) : Expectation
{
    public override string Text => $"{Arm} loses no more than {Than}";

    public override IReadOnlyList<string> Arms => [Arm, Than];

    protected override ExpectationFinding Look(FaultEvidence evidence)
    {
        var (arm, than) = (evidence.Of(Arm), evidence.Of(Than));
        if (arm.Buckets.EndToEndLoss is not { } loss || than.Buckets.EndToEndLoss is not { } other)
            return Untested("nothing was attempted");
        var lost = $"{ArmEvidence.Of(arm.Buckets.Lost, arm.Buckets.Attempts)} and {ArmEvidence.Of(than.Buckets.Lost, than.Buckets.Attempts)} lost";
        if (loss <= other)
            return Decide(true, lost);
        return PermutationTest.Test(arm.LossRates, than.LossRates) is { P: var p }
            ? Decide(p >= Decision.Alpha, string.Create(CultureInfo.InvariantCulture, $"{lost}; permutation of iterations p = {p:0.000}"))
            : Untested($"{lost}; n is below 2");
    }
}
