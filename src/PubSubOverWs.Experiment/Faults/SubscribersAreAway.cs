using System.Globalization;

namespace PubSubOverWs.Experiment.Faults;

/// <summary>The fault hits an arm: in every iteration a subscriber loses its connection.</summary>
public sealed record SubscribersAreAway(string Arm) : Expectation
{
    public override string Text => $"in every iteration subscribers of {Arm} lose their connections";

    public override IReadOnlyList<string> Arms => [Arm];

    protected override ExpectationFinding ArmStyle(FaultEvidence evidence)
    {
        var rows = evidence.Of(Arm).Faults;
        var hit = rows.Count(row => row.SubscriberWindows > 0);
        return rows.Count == 0
            ? Untested("the record has no offline windows")
            : Decide(hit == rows.Count,
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"in {hit} of {rows.Count} iterations, {rows.Sum(row => (long)row.SubscriberWindows)} times in all"));
    }
}
