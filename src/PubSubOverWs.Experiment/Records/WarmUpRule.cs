namespace PubSubOverWs.Experiment.Records;

/// <summary>
/// When an arm is steady, and which warm-ups of a plan it needs until then: decided from the rows of its warm-ups alone, so that a run and
/// every reader of its record come to the same.
/// </summary>
/// <remarks>docs/decisions/0196-an-arm-warms-up-until-its-cpu-time-is-steady.md has the figures behind the two bounds.</remarks>
public static class WarmUpRule
{
    /// <summary>
    /// CPU times that differ by at most this share of the larger are steady: five in six changes between iterations of warm servers are.
    /// </summary>
    public const double LargestChange = 0.20;

    /// <summary>Less is no difference: two ticks of the clock by which the system counts CPU time.</summary>
    public static readonly TimeSpan LeastDifference = TimeSpan.FromMilliseconds(20);

    /// <summary>
    /// Whether the server took as much CPU time for each attempted message in the last warm-up as in the one before. Null: that is not
    /// known.
    /// </summary>
    /// <param name="warmUps">Of one arm at one level in one block, in their order.</param>
    public static bool? IsSteady(IReadOnlyList<IterationRow> warmUps)
    {
        if (warmUps.Count < Scenario.LeastJudgedWarmUps)
            return false;
        var (before, last) = (warmUps[^2], warmUps[^1]);
        if (before.Cpu.Server is not { } tookBefore || last.Cpu.Server is not { } took || before.Buckets.Attempts == 0)
            return null;
        var expected = tookBefore * ((double)last.Buckets.Attempts / before.Buckets.Attempts);
        var difference = (took - expected).Duration();
        return difference <= LeastDifference || difference <= LargestChange * (took > expected ? took : expected);
    }

    /// <summary>Whether the arm has one more warm-up after these.</summary>
    /// <param name="scenario">Has the bounds.</param>
    /// <param name="warmUps">Of one arm at one level in one block, in their order.</param>
    public static bool NeedsMore(Scenario scenario, IReadOnlyList<IterationRow> warmUps) =>
        warmUps.Count < scenario.WarmUps || (warmUps.Count < scenario.MostWarmUps && IsSteady(warmUps) == false);

    /// <summary>What a plan has for these rows: without the warm-ups for which an arm was steady by then.</summary>
    /// <param name="scenario">Has the bounds.</param>
    /// <param name="plan">With warm-ups up to the bound.</param>
    /// <param name="rows">Those of superseded blocks do not count.</param>
    /// <returns>In the order of the plan. Where a needed warm-up has no row, all later ones of its arm and level are there.</returns>
    public static IEnumerable<(string Arm, PlannedIteration Step)> Planned(
        Scenario scenario, IEnumerable<PlannedIteration> plan, IEnumerable<IterationRow> rows)
    {
        var recorded = rows.Where(row => row is { WarmUp: true, Superseded: false }).ToLookup(row => (row.Arm, row.Iteration));
        var warmUps = new Dictionary<(string Arm, Level Level, int Block), List<IterationRow>>();
        foreach (var step in plan)
        {
            foreach (var arm in step.Arms)
            {
                if (step.WarmUp && scenario.MostWarmUps > 0 && arm != Arm.Floor.Name)
                {
                    if (!warmUps.TryGetValue((arm, step.Level, step.Block), out var before))
                        warmUps[(arm, step.Level, step.Block)] = before = [];
                    if (!NeedsMore(scenario, before))
                        continue;
                    before.AddRange(recorded[(arm, step.Iteration)]);
                }

                yield return (arm, step);
            }
        }
    }
}
