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

/// <param name="Found">Half a sentence with the figures, or with what is missing.</param>
/// <param name="Reason">Why it is undecided, before what was found; null: what was found says it.</param>
internal readonly record struct BaselineFinding(GateOutcome Outcome, string Found, string? Reason = null)
{
    /// <summary>Undecided for a reason that more blocks and iterations mend.</summary>
    public static BaselineFinding TooFew(string found) => new(GateOutcome.Undecided, found, "there are too few repetitions to tell");
}

/// <summary>Welch's test, made one-sided either way, of a mean against a limit that is itself measured.</summary>
/// <param name="Above">The p of: the mean is above its limit.</param>
/// <param name="Below">The p of: the mean is below its limit.</param>
/// <param name="Excess">The 90 % interval of the mean less its limit: wholly below 0 exactly where <paramref name="Below"/> is below
/// 0.05.</param>
internal sealed record OneSided(double Above, double Below, Interval Excess)
{
    /// <summary>Both constant, and exactly on the limit: which is allowed, and no question of chance.</summary>
    private static readonly OneSided OnTheLimit = new(1, 0, new Interval(0, 0));

    /// <param name="limit">The baseline's sample, scaled to its limit; at least 2 values.</param>
    /// <param name="sample">At least 2 values.</param>
    public static OneSided Of(Moments limit, Moments sample) => WelchTest.Test(limit, sample) is { } test
        ? new(
            StudentTails.Upper(test.T, test.DegreesOfFreedom),
            StudentTails.Upper(-test.T, test.DegreesOfFreedom),
            WelchTest.Difference(limit, sample, 0.90)!.Value)
        : OnTheLimit;
}
