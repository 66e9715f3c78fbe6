using System.Globalization;
using PubSubOverWs.Experiment.Statistics;

namespace PubSubOverWs.Experiment.Faults;

/// <summary>An arm delivers all that was attempted, in time.</summary>
public sealed record NothingIsLost(string Arm) : Expectation
{
    public override string Text => $"{Arm} loses nothing";

    public override IReadOnlyList<string> Arms => [Arm];

    /// <summary>
    /// What nothing lost in so many iterations says. Losses come together, so it is the number of iterations that bounds them, not of
    /// messages.
    /// </summary>
    /// <param name="iterations">1 or more.</param>
    public static string Bound(int iterations) => string.Create(
        CultureInfo.InvariantCulture,
        $"with {iterations} iterations at most {ExactInterval.Of(0, iterations, 0.95)!.Value.High * 100:0.0} % of iterations lose any "
            + $"(95 %)");

    protected override ExpectationFinding ArmStyle(FaultEvidence evidence)
    {
        var arm = evidence.Of(Arm);
        return arm.Buckets.Lost > 0 ? Decide(false, $"{arm.Lost} lost") : Decide(true, $"{arm.Lost} lost; {Bound(arm.Level.Rows.Count)}");
    }
}
