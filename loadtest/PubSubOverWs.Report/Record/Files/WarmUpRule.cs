namespace PubSubOverWs.Record.Files;

/// <summary>
/// When an arm is steady, and which warm-ups of a plan it needs until then: decided from the rows of its warm-ups alone, so that a run and
/// every reader of its record come to the same.
/// </summary>
/// <remarks>
/// docs/decisions/0196-warm-up-and-schedule.md has the figures behind the two bounds. A record that was made with
/// others has rows too many or too few, and is refused.
/// </remarks>
public static class WarmUpRule
{
    /// <summary>CPU times are steady whose least and largest differ by at most this share of the largest.</summary>
    public const double LargestSpread = 0.40;

    /// <summary>Less is no difference: CPU time may come in ticks of 10 ms, and so little makes no server slower.</summary>
    public static readonly TimeSpan LeastSpread = TimeSpan.FromMilliseconds(20);

    /// <summary>
    /// Whether the server took as much CPU time for each attempted message in each of the last three warm-ups. Null: that is not known.
    /// </summary>
    /// <param name="warmUps">Of one arm at one level in one block, in their order.</param>
    public static bool? IsSteady(IReadOnlyList<IterationRow> warmUps)
    {
        if (warmUps.Count < Scenario.JudgedWarmUps)
            return false;
        var judged = warmUps.TakeLast(Scenario.JudgedWarmUps).ToArray();
        if (judged.Any(row => row.Cpu.Server is null || row.Buckets.Attempts == 0))
            return null;
        var attempts = (double)judged[^1].Buckets.Attempts;
        var times = judged.Select(row => row.Cpu.Server!.Value * (attempts / row.Buckets.Attempts)).ToArray();
        var spread = times.Max() - times.Min();
        return spread <= LeastSpread || spread <= LargestSpread * times.Max();
    }

    /// <summary>Whether the arm has one more warm-up after these.</summary>
    /// <param name="warmUps">Of one arm at one level in one block, in their order.</param>
    public static bool NeedsMore(Scenario scenario, IReadOnlyList<IterationRow> warmUps) =>
        warmUps.Count < scenario.WarmUps || (warmUps.Count < scenario.MostWarmUps && IsSteady(warmUps) == false);

    /// <summary>What a plan has for these rows: without the warm-ups for which an arm was steady by then.</summary>
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
