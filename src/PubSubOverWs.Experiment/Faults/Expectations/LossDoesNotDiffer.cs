using System.Globalization;
using PubSubOverWs.Experiment.Statistics;
using PubSubOverWs.Experiment.Verdicts;

namespace PubSubOverWs.Experiment.Faults.Expectations;

/// <summary>Two arms lose nothing, or a permutation of their iterations does not tell their losses apart.</summary>
public sealed record LossDoesNotDiffer(string First, string Second) : Expectation
{
    /// <summary>With fewer in an arm no permutation can be below 0.05: 2 of 20 arrangements of 3 and 3 are 0.1.</summary>
    private const int LeastIterations = 4;

    public override string Text => $"the losses of {First} and {Second} do not differ";

    public override IReadOnlyList<string> Arms => [First, Second];

    protected override ExpectationFinding Look(FaultEvidence evidence)
    {
        var (first, second) = (evidence.Of(First), evidence.Of(Second));
        if (first.Buckets.Lost == 0 && second.Buckets.Lost == 0)
            return Decide(true, $"nothing was lost: {ArmEvidence.Of(0, first.Buckets.Attempts)} and {ArmEvidence.Of(0, second.Buckets.Attempts)}");
        var lost = $"{ArmEvidence.Of(first.Buckets.Lost, first.Buckets.Attempts)} and {ArmEvidence.Of(second.Buckets.Lost, second.Buckets.Attempts)} lost";
        if (Math.Min(first.LossRates.Count, second.LossRates.Count) < LeastIterations)
            return Untested($"{lost}; fewer than {LeastIterations} iterations of an arm cannot tell");
        // Null: every iteration lost the same.
        var p = PermutationTest.Test(first.LossRates, second.LossRates)?.P ?? 1;
        return Decide(p >= Decision.Alpha, string.Create(CultureInfo.InvariantCulture, $"{lost}; permutation of iterations p = {p:0.000}"));
    }
}
