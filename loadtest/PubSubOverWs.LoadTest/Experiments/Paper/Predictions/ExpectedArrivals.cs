namespace PubSubOverWs.LoadTest.Experiments.Paper.Predictions;

/// <summary>Expectations about duplicates and wrong messages.</summary>
public static class ExpectedArrivals
{
    /// <summary>
    /// Kills explain the duplicates of every iteration: messages that the server had received and not deleted are delivered again, and a
    /// message that was published again may have been taken before.
    /// </summary>
    /// <param name="arm">Which.</param>
    /// <param name="received">The most messages that its server has received and not deleted.</param>
    public static Expectation NoMoreTwice(string arm, int received) => new(
        "duplicates-are-bounded",
        Invariant($"in every iteration {arm} delivers at most {received} duplicates for each kill, and one for each message ")
            + "published again",
        [arm], evidence => AreBounded(evidence.Of(arm), received));

    /// <summary>No message arrives changed or without having been sent.</summary>
    public static Expectation AsSent(string arm) => new(
        "everything-is-as-sent", $"{arm} delivers nothing that was changed, and nothing that nobody sent", [arm], evidence =>
        {
            var odd = evidence.Of(arm).Level.Anomalies;
            return new(odd is { Unexpected: 0, Corrupted: 0 }, Invariant($"{odd.Unexpected} unexpected, {odd.Corrupted} corrupted"));
        });

    private static ExpectationAnswer AreBounded(ArmEvidence arm, int received)
    {
        if (arm.Faults.Count == 0)
            return new(null, "the record has no count of kills");
        var rows = arm.Level.Rows.ToDictionary(row => row.Iteration, row => row.Anomalies.Duplicates);
        var iterations = arm.Faults
            .Select(fault => (Twice: (long)rows[fault.Iteration], Most: ((long)fault.FaultActions * received) + fault.Republished))
            .ToArray();
        var (worst, most) = iterations.MaxBy(one => one.Twice - one.Most);
        return new(worst <= most, Invariant($"{iterations.Sum(one => one.Twice)} duplicates, {arm.FaultActions} kills and ")
            + Invariant($"{arm.Faults.Sum(fault => fault.Republished)} messages published again; ")
            + Invariant($"in the iteration nearest to its bound {worst} of at most {most}"));
    }
}
