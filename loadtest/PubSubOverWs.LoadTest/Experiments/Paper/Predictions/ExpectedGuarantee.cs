namespace PubSubOverWs.LoadTest.Experiments.Paper.Predictions;

/// <summary>Expectations about acknowledged messages. A loss counts only after a proven drain.</summary>
public static class ExpectedGuarantee
{
    /// <summary>
    /// Every acknowledged message arrives, in time or late: guarantee loss is exactly 0. Claimed only if every drain is proven; one loss
    /// after a proven drain refutes it.
    /// </summary>
    public static Expectation Kept(string arm) => new(
        "nothing-acknowledged-is-lost", $"{arm} loses nothing that was acknowledged", [arm], evidence => IsKept(evidence.Of(arm)));

    /// <summary>An arm loses acknowledged messages.</summary>
    /// <param name="arm">Which.</param>
    /// <param name="inEachIteration">True: at least one in each iteration; false: at least one in total.</param>
    public static Expectation Broken(string arm, bool inEachIteration = false) => new(
        "acknowledged-is-lost", $"{arm} loses messages that were acknowledged{(inEachIteration ? ", in every iteration" : "")}", [arm],
        evidence => IsBroken(evidence.Of(arm), inEachIteration));

    private static ExpectationAnswer IsKept(ArmEvidence arm)
    {
        if (arm.LosingAcknowledged == 0 && arm.NoGuarantee is { } why)
            return new(null, why);
        var found = $"{arm.LostAcknowledged} acknowledged messages lost";
        return new(arm.Buckets.LostAcknowledged == 0, arm.Buckets.DeadLettered == 0
            ? found
            : $"{found}; {arm.Buckets.DeadLettered} are in the dead-letter queue");
    }

    private static ExpectationAnswer IsBroken(ArmEvidence arm, bool inEachIteration)
    {
        var rows = arm.Level.Rows;
        var losing = arm.LosingAcknowledged;
        var isDecided = inEachIteration ? losing < rows.Count - arm.NotDrained : losing > 0;
        if (!isDecided && arm.NoGuarantee is { } why)
            return new(null, why);
        return new(
            inEachIteration ? losing == rows.Count : losing > 0,
            $"{arm.LostAcknowledged} acknowledged messages lost, in {losing} of {rows.Count} iterations");
    }
}
