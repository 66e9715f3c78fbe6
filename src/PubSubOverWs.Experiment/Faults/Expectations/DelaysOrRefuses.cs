using System.Globalization;
using PubSubOverWs.Experiment.Scenarios;

namespace PubSubOverWs.Experiment.Faults.Expectations;

/// <summary>An arm shows that its queue was away: a message is late by half of that time at least, or is not delivered at all.</summary>
/// <param name="Arm">Which.</param>
/// <param name="Away">How long the queue was away.</param>
public sealed record DelaysOrRefuses(string Arm, TimeSpan Away) : Expectation
{
    public override string Text => $"{Arm} delivers messages {Duration.Text(Away / 2)} late or more, or loses some";

    public override IReadOnlyList<string> Arms => [Arm];

    protected override ExpectationFinding Look(FaultEvidence evidence)
    {
        var arm = evidence.Of(Arm);
        var longest = arm.LongestLatency ?? 0;
        return Decide(longest >= (Away / 2).TotalMilliseconds || arm.Buckets.Lost > 0, string.Create(
            CultureInfo.InvariantCulture, $"the latest came {longest:0} ms after due; {ArmEvidence.Of(arm.Buckets.Lost, arm.Buckets.Attempts)} lost, {arm.Buckets.Refused} of them refused"));
    }
}
