using PubSubOverWs.Report.Claims;
using PubSubOverWs.Report.Compare;
using PubSubOverWs.Report.Metrics;

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

    public static BaselineCase Of(RunFolder folder, RunFolder baseline, Gate gate, Level level)
    {
        var (metric, at) = (gate.Left.Metric, $"at {level}");
        var (now, before) = (ArmLevel.Of(folder, gate.Left.Arm, level), ArmLevel.Of(baseline, gate.Left.Arm, level));
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
        var (byIterations, byBlocks) = (Outcome(iterationsAbove, Iterations!.Below), Outcome(blocksAbove, Blocks!.Below));
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
        var (factor, added) = ((double)gate.BaselineFactor!.Value, (double)gate.Limit);
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
            Iterations = OneSided.Of(limit, now.Iterations),
            Blocks = OneSided.Of(before.Blocks.Scaled(factor, added), now.Blocks),
        };
    }

    // Bytes are a quotient of sums where there is no baseline: only here an iteration that delivered nothing has none.
    private static bool HasAll(RunFolder folder, Metric metric, ArmLevel level) =>
        metric.IsCounted || metric.Reading is not { } reading || level.Rows.All(row => reading(folder.Run.Scenario, row) is not null);

    private static LevelSample Sample(RunFolder folder, Gate gate, Level level) =>
        LevelSample.Of(folder, gate.Left.Arm, level, row => gate.Left.Metric.Reading!(folder.Run.Scenario, row));

    private string Format(double value) => (value > 0 ? "+" : "") + Format(Gate, value);

    private static string Format(Gate gate, double value) => gate.Left.Metric.Format(new Quotient((decimal)value, 1));
}
