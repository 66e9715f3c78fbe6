using System.Globalization;
using PubSubOverWs.Experiment.Statistics;

namespace PubSubOverWs.Experiment.Faults.Expectations;

/// <summary>An arm delivers all that was attempted, in time.</summary>
public sealed record NothingIsLost(string Arm) : Expectation
{
    public override string Text => $"{Arm} loses nothing";

    public override IReadOnlyList<string> Arms => [Arm];

    protected override ExpectationFinding Look(FaultEvidence evidence)
    {
        var arm = evidence.Of(Arm);
        if (arm.Buckets.Attempts == 0)
            return Untested("nothing was attempted");
        var lost = $"{ArmEvidence.Of(arm.Buckets.Lost, arm.Buckets.Attempts)} lost";
        if (arm.Buckets.Lost > 0)
            return Decide(false, lost);
        // Losses come together, so what bounds them is the number of iterations, not of messages.
        var most = ExactInterval.Of(0, arm.Level.Rows.Count, 0.95)!.Value.High;
        return Decide(true, string.Create(CultureInfo.InvariantCulture, $"{lost}; with {arm.Level.Rows.Count} iterations at most {most * 100:0.0} % of iterations lose any (95 %)"));
    }
}
