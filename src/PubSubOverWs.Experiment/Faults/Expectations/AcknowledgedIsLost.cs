namespace PubSubOverWs.Experiment.Faults.Expectations;

/// <summary>An arm loses messages although their publishers got a receipt: one at least.</summary>
public sealed record AcknowledgedIsLost(string Arm) : Expectation
{
    public override string Text => $"{Arm} loses messages that were acknowledged";

    public override IReadOnlyList<string> Arms => [Arm];

    protected override ExpectationFinding Look(FaultEvidence evidence)
    {
        var buckets = evidence.Of(Arm).Buckets;
        return buckets.Acknowledged == 0
            ? Untested("nothing was acknowledged")
            : Decide(buckets.LostAcknowledged > 0, $"{ArmEvidence.Of(buckets.LostAcknowledged, buckets.Acknowledged)} acknowledged messages lost");
    }
}
