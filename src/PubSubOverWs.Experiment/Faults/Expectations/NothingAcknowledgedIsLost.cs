using System.Globalization;

namespace PubSubOverWs.Experiment.Faults.Expectations;

/// <summary>What an arm's publishers got a receipt for came, in time or not: guarantee loss is exactly 0. Claimed only after a proven drain.</summary>
public sealed record NothingAcknowledgedIsLost(string Arm) : Expectation
{
    public override string Text => $"{Arm} loses nothing that was acknowledged";

    public override IReadOnlyList<string> Arms => [Arm];

    protected override ExpectationFinding Look(FaultEvidence evidence)
    {
        var arm = evidence.Of(Arm);
        var buckets = arm.Buckets;
        if (buckets.Acknowledged == 0)
            return Untested("nothing was acknowledged");
        var found = $"{ArmEvidence.Of(buckets.LostAcknowledged, buckets.Acknowledged)} acknowledged messages lost";
        if (buckets.LostAcknowledged > 0)
            return Decide(false, found);
        if (arm.NotDrained > 0 || buckets.StillQueued > 0)
            return Untested(string.Create(
                CultureInfo.InvariantCulture, $"{found}, but the queue was not shown to be empty after {arm.NotDrained} of {arm.Level.Rows.Count} iterations"));
        return Decide(true, buckets.DeadLettered == 0
            ? found
            : string.Create(CultureInfo.InvariantCulture, $"{found}; {buckets.DeadLettered} are in the dead-letter queue"));
    }
}
