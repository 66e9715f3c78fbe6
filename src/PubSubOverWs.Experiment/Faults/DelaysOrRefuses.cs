using System.Globalization;
using PubSubOverWs.Experiment.Formats;
using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.Experiment.Faults;

/// <summary>
/// An arm shows in every iteration that its queue was away: a message is late by half of that time at least, or a percentage point is not
/// delivered.
/// </summary>
/// <param name="Arm">Which.</param>
/// <param name="Away">How long the queue was away.</param>
public sealed record DelaysOrRefuses(string Arm, TimeSpan Away) : Expectation
{
    public override string Text =>
        $"in every iteration {Arm} delivers messages {Duration.Text(Away / 2)} late or more, or loses a percentage point";

    public override IReadOnlyList<string> Arms => [Arm];

    protected override ExpectationFinding ArmStyle(FaultEvidence evidence)
    {
        var arm = evidence.Of(Arm);
        var rows = arm.Level.Rows;
        var (late, losing, either) = (rows.Count(IsLate), rows.Count(IsLosing), rows.Count(row => IsLate(row) || IsLosing(row)));
        return Decide(either == rows.Count, string.Create(
            CultureInfo.InvariantCulture,
            $"so late in {late} and so much lost in {losing} of {rows.Count} iterations; the latest came {arm.LongestLatency ?? 0:0} ms "
                + $"after due; {arm.Lost} lost, {arm.Buckets.Refused} of them refused"));
    }

    private static bool IsLosing(IterationRow row) => row.Buckets.EndToEndLoss >= Losses.Margin;

    private bool IsLate(IterationRow row) => row.FromDue.Max / 1000 >= (Away / 2).TotalMilliseconds;
}
