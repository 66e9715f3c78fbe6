namespace PubSubOverWs.LoadTest.Experiments.Paper.Predictions;

/// <summary>Expectations that the fault took effect, and equally in all arms: clients or the queue were offline as planned.</summary>
public static class ExpectedOutage
{
    // The largest difference between the windows of two arms, as a share of the first arm's.
    private const double Within = 0.05;

    /// <summary>The fault affects an arm: in every iteration a subscriber loses its connection.</summary>
    public static Expectation OfSubscribers(string arm) => new(
        "subscribers-are-away", $"in every iteration subscribers of {arm} lose their connections", [arm], evidence =>
        {
            var rows = evidence.Of(arm).Faults;
            var hit = rows.Count(row => row.SubscriberWindows > 0);
            return rows.Count == 0
                ? new(null, "the record has no offline windows")
                : new(hit == rows.Count,
                    $"in {hit} of {rows.Count} iterations, {rows.Sum(row => (long)row.SubscriberWindows)} times in all");
        });

    /// <summary>The subscribers of two arms were offline equally long, within 5 %: otherwise the arms had different faults.</summary>
    public static Expectation AlikeIn(string first, string second) => new(
        "windows-agree", $"subscribers of {first} and {second} are away equally long, within 5 %", [first, second],
        evidence => WindowsAgree(evidence.Of(first), evidence.Of(second)));

    /// <summary>It shows in every iteration: a message is late by half of the outage or more, or a percentage point is lost.</summary>
    public static Expectation Shows(string arm, TimeSpan away) => new(
        "delays-or-refuses",
        $"in every iteration {arm} delivers messages {Duration.Text(away / 2)} late or more, or loses a percentage point", [arm],
        evidence => DelaysOrRefuses(evidence.Of(arm), away / 2));

    private static ExpectationAnswer WindowsAgree(ArmEvidence first, ArmEvidence second)
    {
        if (first.NeverBack + second.NeverBack is > 0 and var never)
            return new(null, $"{never} clients did not come back");
        if (first.SubscriberAwayMean is not { } mean || second.SubscriberAwayMean is not { } other)
            return new(null, "no subscriber of one of them was offline");
        var one = PerIteration(first);
        var two = PerIteration(second);
        return new(
            Math.Abs(two - one) <= Within * one,
            Invariant($"{mean:0.0} ms and {other:0.0} ms on average; in total {((two / one) - 1) * 100:+0.0;-0.0;0.0} %"));
    }

    private static ExpectationAnswer DelaysOrRefuses(ArmEvidence arm, TimeSpan least)
    {
        bool IsLate(IterationRow row) => row.FromDue.Max / 1000 >= least.TotalMilliseconds;
        bool IsLosing(IterationRow row) => row.Buckets.EndToEndLoss >= Losses.Margin;
        var rows = arm.Level.Rows;
        var late = rows.Count(IsLate);
        var losing = rows.Count(IsLosing);
        var either = rows.Count(row => IsLate(row) || IsLosing(row));
        return new(
            either == rows.Count,
            $"late in {late} and losing in {losing} of {rows.Count} iterations; the latest message arrived "
                + Invariant($"{arm.LongestLatency ?? 0:0} ms after due; {arm.Lost} lost, {arm.Buckets.Refused} of them refused"));
    }

    private static double PerIteration(ArmEvidence arm) => arm.SubscribersAway!.Value.TotalMilliseconds / arm.Faults.Count;
}
