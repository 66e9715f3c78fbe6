using PubSubOverWs.Report.Compare;
using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Report.Gates;

/// <summary>
/// Holds a record against another one. A gate fails only where a level is shown to be above its limit, and passes only where every level is
/// shown to be below it; whatever lies between is not decided, and never a pass.
/// </summary>
internal static class BaselineCheck
{
    /// <param name="folder">Valid, complete, and with the arms that are asked for.</param>
    /// <param name="baseline">Null: there is none.</param>
    /// <param name="without">The sentence if there is none.</param>
    /// <param name="gates">Those that name a baseline, each once. Holm's correction is over all of them and all levels.</param>
    public static Dictionary<Gate, GateResult> Check(RunFolder folder, RunFolder? baseline, string without, IReadOnlyList<Gate> gates)
    {
        if (baseline is null)
            return gates.ToDictionary(gate => gate, gate => Undecided(gate, without));
        if (Comparability.Obstacles(baseline, folder, "the baseline", "this run") is { Count: > 0 } obstacles)
            return gates.ToDictionary(
                gate => gate, gate => Undecided(gate, $"because the baseline cannot be compared ({string.Join("; ", obstacles)})"));
        var cases = gates.SelectMany(gate => folder.Run.Scenario.Levels.Select(level => BaselineCase.Of(folder, baseline, gate, level)))
            .ToArray();
        var iterations = Holm.Adjust([.. cases.Select(one => one.Iterations?.Above)]);
        var blocks = Holm.Adjust([.. cases.Select(one => one.Blocks?.Above)]);
        return cases.Select((one, i) => (Case: one, Finding: one.Judge(iterations[i], blocks[i])))
            .GroupBy(one => one.Case.Gate, one => one.Finding)
            .ToDictionary(group => group.Key, group => Judge(group.Key, [.. group]));
    }

    private static GateResult Judge(Gate gate, IReadOnlyList<BaselineFinding> findings)
    {
        if (findings.Where(finding => finding.Outcome == GateOutcome.Failed).ToArray() is { Length: > 0 } failed)
            return new(gate, false, $"{gate.Text}: {(gate.Severity == GateSeverity.Warn ? "warning" : "failed")}, {Listed(failed)}.");
        if (findings.Where(finding => finding.Outcome == GateOutcome.Undecided).ToArray() is { Length: > 0 } undecided)
            return Undecided(gate, $"because {Reasons(undecided)}");
        return new(gate, true, $"{gate.Text}: passed, {Listed(findings)}.");
    }

    private static GateResult Undecided(Gate gate, string why) =>
        new(gate, false, $"{gate.Text}: {(gate.Severity == GateSeverity.Warn ? "warning, " : "")}undecided, {why}.") { Undecided = true };

    private static string Reasons(IEnumerable<BaselineFinding> undecided) => string.Join(
        "; ", undecided.GroupBy(finding => finding.Reason).Select(alike => (alike.Key is null ? "" : $"{alike.Key}: ") + Listed(alike)));

    private static string Listed(IEnumerable<BaselineFinding> findings) => string.Join(", ", findings.Select(finding => finding.Found));
}
