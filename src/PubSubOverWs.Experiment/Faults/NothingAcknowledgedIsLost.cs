using System.Globalization;

namespace PubSubOverWs.Experiment.Faults;

/// <summary>
/// What an arm's publishers got a receipt for came, in time or not: guarantee loss is exactly 0. Claimed only where every drain is proven;
/// one loss after a proven drain refutes it.
/// </summary>
public sealed record NothingAcknowledgedIsLost(string Arm) : Expectation
{
    public override string Text => $"{Arm} loses nothing that was acknowledged";

    public override IReadOnlyList<string> Arms => [Arm];

    protected override ExpectationFinding ArmStyle(FaultEvidence evidence)
    {
        var arm = evidence.Of(Arm);
        if (arm.LosingAcknowledged == 0 && arm.NoGuarantee is { } why)
            return Untested(why);
        var found = $"{arm.LostAcknowledged} acknowledged messages lost";
        return Decide(arm.Buckets.LostAcknowledged == 0, arm.Buckets.DeadLettered == 0
            ? found
            : string.Create(CultureInfo.InvariantCulture, $"{found}; {arm.Buckets.DeadLettered} are in the dead-letter queue"));
    }
}
