using PubSubOverWs.Report.Claims;
using PubSubOverWs.Report.Metrics;

namespace PubSubOverWs.Report.Gates;

/// <summary>
/// Holds gates against a record. Every level of the scenario must satisfy a gate; warm-up and superseded rows are left out.
/// </summary>
public static class GateCheck
{
    /// <param name="baseline">The baseline of the gates that refer to one; null: they are not decided.</param>
    /// <param name="without">The sentence if there is none.</param>
    /// <returns>In the order of the gates.</returns>
    public static IReadOnlyList<GateResult> Check(
        RunFolder folder, IEnumerable<Gate> gates, RunFolder? baseline = null, string without = "because no baseline was given")
    {
        var all = gates.ToArray();
        var broken = Validity.Check(folder).Where(check => check.Holds == false).Select(check => check.Name).ToArray();
        var unusable = all.Select(gate => Unusable(folder, gate, broken)).ToArray();
        var compared = BaselineCheck.Check(
            folder, baseline, without, [.. all.Where((gate, i) => gate.NeedsBaseline && unusable[i] is null).Distinct()]);
        return [.. all.Select((gate, i) => unusable[i] ?? (gate.NeedsBaseline ? compared[gate] : Check(folder, gate)))];
    }

    /// <summary>The exit code of a program that has made this record and checked these gates.</summary>
    public static ExitCode ExitCodeOf(RunFolder folder, IReadOnlyCollection<GateResult> results) => folder switch
    {
        _ when !folder.Rows.Any(row => row.Counts && row.Arm != Arm.Floor.Name) => ExitCode.NothingMeasured,
        _
            when !Validity.IsValid(folder)
                || results.Any(result => result is { Passed: false, Undecided: false, Gate.Severity: GateSeverity.Fail }) =>
                    ExitCode.GateFailed,
        _ when results.Any(result => result is { Undecided: true, Gate.Severity: GateSeverity.Fail }) => ExitCode.NotComparable,
        _ => ExitCode.Success,
    };

    private static GateResult? Unusable(RunFolder folder, Gate gate, string[] broken)
    {
        if (broken.Length > 0)
            return Fails(gate, $"because the run is invalid ({string.Join("; ", broken)})");
        if (!folder.Run.Complete)
            return Fails(gate, "because the run is incomplete");
        return new[] { gate.Left,
            gate.Right }.FirstOrDefault(quantity => quantity is not null
                && folder.Run.Scenario.FindArm(quantity.Arm) is null) is { } missing
            ? Fails(gate, $"because the arm {missing.Arm} was not run")
            : null;
    }

    private static GateResult Check(RunFolder folder, Gate gate)
    {
        GateQuantity[] asked = gate.Right is null ? [gate.Left] : [gate.Left, gate.Right];
        var findings = new List<LevelFinding>();
        foreach (var level in folder.Run.Scenario.Levels)
        {
            var levels = asked.Select(quantity => ArmLevel.From(folder, quantity.Arm, level)).ToArray();
            if (levels.Any(level => level.Rows.Count == 0))
                return Fails(gate, Invariant($"because there is no measured iteration at {level}"));
            var values = asked.Zip(levels, (quantity, of) => quantity.Metric.Count(folder.Run.Scenario, of)).ToArray();
            if (Array.FindIndex(values, value => value is null) is >= 0 and var at)
                return Fails(
                    gate,
                    Invariant($"because {asked[at].Arm} has no {asked[at].Metric.Gate} at {level}: {asked[at].Metric.Missing}"));
            if ((gate.Right is null ? values[0] : Quotient.Divide(values[0]!.Value, values[1]!.Value)) is not { } value)
                return Fails(
                    gate,
                    Invariant($"because {asked[1].Arm}'s {asked[1].Metric.Gate} is zero at {level}, ")
                        + "and nothing can be divided by it");
            findings.Add(new LevelFinding(level, value, gate.Allows(value)));
        }
        return Judge(gate, findings);
    }

    private static GateResult Judge(Gate gate, List<LevelFinding> findings)
    {
        var failed = findings.Where(finding => !finding.Holds).ToArray();
        return failed.Length == 0
            ? new(gate, true, $"{gate.Text}: passed, {Passed(gate, findings)}.")
            : Fails(gate,
                string.Join(", ", failed.Select(finding => Invariant($"{Format(gate, finding.Value)} at {finding.Level}"))));
    }

    private static string Passed(Gate gate, List<LevelFinding> findings) => IsCounted(gate)
        ? Invariant(
            $"{findings.Sum(finding => finding.Value.Numerator)} of {findings.Sum(finding => finding.Value.Denominator)} messages ")
                + Invariant($"{Happened(gate)} over {findings.Count} {(findings.Count == 1 ? "level" : "levels")}")
        : Invariant(
            $"{string.Join(", ", findings.Select(finding => Invariant($"{Format(gate, finding.Value)} at {finding.Level}")))}");

    private static string Format(Gate gate, Quotient value) =>
        IsCounted(gate) ? Invariant($"{value.Numerator} of {value.Denominator} messages {Happened(gate)}")
        : gate.Right is null ? gate.Left.Metric.Format(value)
        : Invariant($"{value.Value:0.####}");

    private static bool IsCounted(Gate gate) => gate.Right is null && gate.Left.Metric.IsCounted;

    private static string Happened(Gate gate) => gate.Left.Metric.Counted;

    private static GateResult Fails(Gate gate, string why) =>
        new(gate, false, $"{gate.Text}: {(gate.Severity == GateSeverity.Warn ? "warning" : "failed")}, {why}.");

    private readonly record struct LevelFinding(Level Level, Quotient Value, bool Holds);
}
