namespace PubSubOverWs.Experiment.Faults.Expectations;

/// <summary>An arm drops messages because it has no room for them, and says so: one at least.</summary>
public sealed record Sheds(string Arm) : Expectation
{
    public override string Text => $"{Arm} sheds messages";

    public override IReadOnlyList<string> Arms => [Arm];

    protected override ExpectationFinding Look(FaultEvidence evidence)
    {
        var buckets = evidence.Of(Arm).Buckets;
        return Decide(buckets.Causes.Shed > 0, $"{ArmEvidence.Of(buckets.Causes.Shed, buckets.Attempts)} shed");
    }
}
