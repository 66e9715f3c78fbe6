using System.Globalization;

namespace PubSubOverWs.Experiment.Faults.Expectations;

/// <summary>An arm drops in every iteration what is beyond its capacity, and says so: 1 - capacity/offered, within a quarter.</summary>
/// <param name="Arm">Which.</param>
/// <param name="PerSecond">Messages that it can deliver, above 0.</param>
public sealed record Sheds(string Arm, double PerSecond) : Expectation
{
    /// <summary>By so much the share that is shed may be below or above what follows from rate and capacity.</summary>
    public const double Within = 0.25;

    public override string Text => $"in every iteration {Arm} sheds what is beyond its capacity, within a quarter";

    public override IReadOnlyList<string> Arms => [Arm];

    protected override ExpectationFinding Look(FaultEvidence evidence)
    {
        if (evidence.Spread == TimeSpan.Zero)
            return Untested("all messages were due at once, which is no rate");
        var rows = evidence.Of(Arm).Level.Rows;
        var expected = rows.Select(row => 1 - (PerSecond * evidence.Spread.TotalSeconds / row.Buckets.Attempts)).ToArray();
        if (expected.Min() <= 0)
            return Untested(string.Create(CultureInfo.InvariantCulture, $"no more was published than the {PerSecond:0} a second that it can deliver"));
        double[] shed = [.. rows.Select(row => (double)row.Buckets.Causes.Shed / row.Buckets.Attempts)];
        return Decide(shed.Zip(expected).All(one => Math.Abs((one.First / one.Second) - 1) <= Within), string.Create(
            CultureInfo.InvariantCulture, $"from {shed.Min() * 100:0.00} % to {shed.Max() * 100:0.00} % of an iteration shed, {expected.Average() * 100:0.00} % expected"));
    }
}
