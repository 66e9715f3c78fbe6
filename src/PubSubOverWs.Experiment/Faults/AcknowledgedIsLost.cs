using System.Globalization;

namespace PubSubOverWs.Experiment.Faults;

/// <summary>
/// An arm loses messages although their publishers got a receipt: one at least. What is lost counts only after a proven drain.
/// </summary>
public sealed record AcknowledgedIsLost(string Arm) : Expectation
{
    /// <summary>True: one at least in each iteration; false: one at least over all.</summary>
    public bool InEachIteration { get; init; }

    public override string Text => $"{Arm} loses messages that were acknowledged{(InEachIteration ? ", in every iteration" : "")}";

    public override IReadOnlyList<string> Arms => [Arm];

    protected override ExpectationFinding ArmStyle(FaultEvidence evidence)
    {
        var arm = evidence.Of(Arm);
        var rows = arm.Level.Rows;
        var losing = arm.LosingAcknowledged;
        var isDecided = InEachIteration ? losing < rows.Count - arm.NotDrained : losing > 0;
        if (!isDecided && arm.NoGuarantee is { } why)
            return Untested(why);
        return Decide(InEachIteration ? losing == rows.Count : losing > 0, string.Create(
            CultureInfo.InvariantCulture, $"{arm.LostAcknowledged} acknowledged messages lost, in {losing} of {rows.Count} iterations"));
    }
}
