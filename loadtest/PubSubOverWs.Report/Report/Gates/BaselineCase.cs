using PubSubOverWs.Report.Claims;
using PubSubOverWs.Report.Compare;
using PubSubOverWs.Report.Metrics;
using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Report.Gates;

/// <summary>
/// One gate that names a baseline, at one level: settled by counts, or to be judged by tests of iterations and of blocks.
/// </summary>
/// <param name="Settled">Null: it takes the tests.</param>
internal sealed record BaselineCase(Gate Gate, BaselineFinding? Settled)
{
    /// <summary>Half a sentence; null: settled without a test.</summary>
    public string? Figures { get; init; }

    /// <summary>Null: settled without a test.</summary>
    public OneSided? Iterations { get; init; }

    /// <summary>Null: settled without a test.</summary>
    public OneSided? Blocks { get; init; }

    public static BaselineCase From(RunFolder folder, RunFolder baseline, Gate gate, Level level)
    {
        var metric = gate.Left.Metric;
        var at = $"at {level}";
        var now = ArmLevel.From(folder, gate.Left.Arm, level);
        var before = ArmLevel.From(baseline, gate.Left.Arm, level);
        if (now.Rows.Count == 0)
            return Lacking(GateOutcome.Failed, $"there is no measured iteration {at}");
        if (before.Rows.Count == 0)
            return Lacking(GateOutcome.Undecided, $"the baseline has no measured iteration {at}");
        if (metric.Count(folder.Run.Scenario, now) is not { } value || !HasAll(folder, metric, now))
            return Lacking(GateOutcome.Failed, $"{gate.Left.Arm} has no {metric.Gate} {at}: {metric.Missing}");
        if (metric.Count(baseline.Run.Scenario, before) is not { } other || !HasAll(baseline, metric, before))
            return Lacking(GateOutcome.Undecided, $"the baseline has no {metric.Gate} {at}: {metric.Missing}");
        return metric.IsCounted
            ? Counted(gate, value, other, at)
            : Sampled(gate, Sample(folder, gate, level), Sample(baseline, gate, level), at);

        BaselineCase Lacking(GateOutcome outcome, string what) => new(gate, new BaselineFinding(outcome, what));
    }

    /// <summary>Iterations and blocks must say the same.</summary>
    /// <param name="iterationsAbove">The p of being above the limit, after Holm's correction.</param>
    /// <param name="blocksAbove">The same by the means of blocks.</param>
    public BaselineFinding Judge(double? iterationsAbove, double? blocksAbove)
    {
        if (Settled is { } settled)
            return settled;
        var byIterations = Outcome(iterationsAbove, Iterations!.Below);
        var byBlocks = Outcome(blocksAbove, Blocks!.Below);
        if (byIterations != byBlocks)
            return BaselineFinding.TooFew($"{Figures} (iterations and blocks disagree)");
        return byIterations switch
        {
            // Both had to be below 0.05: the larger is what the failure stands on.
            GateOutcome.Failed =>
                new(byIterations, $"{Figures} (p {Documents.Format.P(Math.Max(iterationsAbove!.Value, blocksAbove!.Value))} after Holm)"),
            GateOutcome.Undecided =>
                BaselineFinding.TooFew($"{Figures} ({Format(Iterations.Excess.Low)} to {Format(Iterations.Excess.High)} from it, at 90 %)"),
            _ => new(byIterations, Figures!),
        };
    }

    private static GateOutcome Outcome(double? above, double below) =>
        above < Decision.Alpha ? GateOutcome.Failed : below < Decision.Alpha ? GateOutcome.Passed : GateOutcome.Undecided;

    private static BaselineCase Counted(Gate gate, Quotient value, Quotient other, string at)
    {
        // value <= factor * other + added, with the denominators multiplied out: nothing is rounded.
        var holds =
            value.Numerator * other.Denominator <= ((other.Numerator * gate.BaselineFactor!.Value)
                + (gate.Limit * other.Denominator)) * value.Denominator;
        return new(gate,
            new BaselineFinding(
                holds ? GateOutcome.Passed : GateOutcome.Failed,
                Invariant($"{value.Numerator} of {value.Denominator} messages {gate.Left.Metric.Counted}, in the baseline ")
                    + Invariant($"{other.Numerator} of {other.Denominator}, {at}")));
    }

    private static BaselineCase Sampled(Gate gate, LevelSample now, LevelSample before, string at)
    {
        var factor = (double)gate.BaselineFactor!.Value;
        var added = (double)gate.Limit;
        var limit = before.Iterations.Scaled(factor, added);
        var figures = $"{Format(gate, now.Iterations.Mean)} of at most {Format(gate, limit.Mean)} {at}";
        if (!now.Suffices || !before.Suffices)
            return new(gate,
                BaselineFinding.TooFew(
                    Invariant($"{figures} (blocks: {now.Blocks.Count}, in the baseline {before.Blocks.Count}; both need ")
                        + Invariant($"{LevelSample.LeastBlocks})")));
        return new(gate, null)
        {
            Figures = figures,
            Iterations = OneSided.Compute(limit, now.Iterations),
            Blocks = OneSided.Compute(before.Blocks.Scaled(factor, added), now.Blocks),
        };
    }

    // Bytes are a quotient of sums where there is no baseline: only here an iteration that delivered nothing has none.
    private static bool HasAll(RunFolder folder, Metric metric, ArmLevel level) =>
        metric.IsCounted || metric.Reading is not { } reading || level.Rows.All(row => reading(folder.Run.Scenario, row) is not null);

    private static LevelSample Sample(RunFolder folder, Gate gate, Level level) =>
        LevelSample.From(folder, gate.Left.Arm, level, row => gate.Left.Metric.Reading!(folder.Run.Scenario, row));

    private string Format(double value) => (value > 0 ? "+" : "") + Format(Gate, value);

    private static string Format(Gate gate, double value) => gate.Left.Metric.Format(new Quotient((decimal)value, 1));
}

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
        var cases = gates.SelectMany(gate => folder.Run.Scenario.Levels.Select(level => BaselineCase.From(folder, baseline, gate, level)))
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
    public static OneSided Compute(Moments limit, Moments sample) => WelchTest.Test(limit, sample) is { } test
        ? new(
            StudentTails.Upper(test.T, test.DegreesOfFreedom),
            StudentTails.Upper(-test.T, test.DegreesOfFreedom),
            WelchTest.Difference(limit, sample, 0.90)!.Value)
        : OnTheLimit;
}
