using System.Globalization;
using PubSubOverWs.Experiment.Formats;
using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.Experiment.Experiments.Predictions;

/// <summary>That clients or the queue are away as they were to be: otherwise the fault did not hit, or not alike.</summary>
public static class ExpectedOutage
{
    /// <summary>The windows of two arms may differ by this share of those of the first.</summary>
    public const double Within = 0.05;

    /// <summary>The fault hits an arm: in every iteration a subscriber loses its connection.</summary>
    public static Expectation OfSubscribers(string arm) => new(
        "subscribers-are-away", $"in every iteration subscribers of {arm} lose their connections", [arm], evidence =>
        {
            var rows = evidence.Of(arm).Faults;
            var hit = rows.Count(row => row.SubscriberWindows > 0);
            return rows.Count == 0
                ? new(null, "the record has no offline windows")
                : new(hit == rows.Count, string.Create(
                    CultureInfo.InvariantCulture,
                    $"in {hit} of {rows.Count} iterations, {rows.Sum(row => (long)row.SubscriberWindows)} times in all"));
        });

    /// <summary>
    /// The subscribers of two arms were away equally long, all windows together, within 5 %: otherwise the arms did not suffer the same
    /// fault.
    /// </summary>
    public static Expectation AlikeIn(string first, string second) => new(
        "windows-agree", $"subscribers of {first} and {second} are away equally long, within 5 %", [first, second],
        evidence => WindowsAgree(evidence.Of(first), evidence.Of(second)));

    /// <summary>
    /// An arm shows in every iteration that its queue was away: a message is late by half of that time at least, or a percentage point is
    /// not delivered.
    /// </summary>
    /// <param name="arm">Which.</param>
    /// <param name="away">How long the queue was away.</param>
    public static Expectation OfQueue(string arm, TimeSpan away) => new(
        "delays-or-refuses",
        $"in every iteration {arm} delivers messages {Duration.Text(away / 2)} late or more, or loses a percentage point", [arm],
        evidence => DelaysOrRefuses(evidence.Of(arm), away / 2));

    private static ExpectationAnswer WindowsAgree(ArmEvidence first, ArmEvidence second)
    {
        if (first.NeverBack + second.NeverBack is > 0 and var never)
            return new(null, string.Create(CultureInfo.InvariantCulture, $"{never} clients did not come back"));
        if (first.SubscriberAwayMean is not { } mean || second.SubscriberAwayMean is not { } other)
            return new(null, "no subscriber of one of them was away");
        var (one, two) = (PerIteration(first), PerIteration(second));
        return new(Math.Abs(two - one) <= Within * one, string.Create(
            CultureInfo.InvariantCulture,
            $"{mean:0.0} ms and {other:0.0} ms in the mean; all together {((two / one) - 1) * 100:+0.0;-0.0;0.0} %"));
    }

    private static double PerIteration(ArmEvidence arm) => arm.SubscribersAway!.Value.TotalMilliseconds / arm.Faults.Count;

    private static ExpectationAnswer DelaysOrRefuses(ArmEvidence arm, TimeSpan least)
    {
        bool IsLate(IterationRow row) => row.FromDue.Max / 1000 >= least.TotalMilliseconds;
        bool IsLosing(IterationRow row) => row.Buckets.EndToEndLoss >= Losses.Margin;

        var rows = arm.Level.Rows;
        var (late, losing, either) = (rows.Count(IsLate), rows.Count(IsLosing), rows.Count(row => IsLate(row) || IsLosing(row)));
        return new(either == rows.Count, string.Create(
            CultureInfo.InvariantCulture,
            $"so late in {late} and so much lost in {losing} of {rows.Count} iterations; the latest came {arm.LongestLatency ?? 0:0} ms "
                + $"after due; {arm.Lost} lost, {arm.Buckets.Refused} of them refused"));
    }
}
