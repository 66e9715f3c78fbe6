namespace PubSubOverWs.Record.Files;

/// <summary>The plan of a resumed run.</summary>
/// <param name="Whole">The plan that run.json gets: finished blocks, then what remains.</param>
/// <param name="Remaining">The remaining steps; empty if the run was complete.</param>
public sealed record ResumedPlan(IReadOnlyList<PlannedIteration> Whole, IReadOnlyList<PlannedIteration> Remaining)
{
    /// <summary>The blocks that run again; their old rows are to be superseded.</summary>
    public IReadOnlySet<int> Blocks => Remaining.Select(step => step.Block).ToHashSet();

    /// <summary>
    /// The plan of a run that was cut: finished blocks stay; the others come again whole, from their warm-up, with iteration ids above
    /// all that were used, because the rows and samples of the cut block stay.
    /// </summary>
    /// <param name="scenario">Whose plan it is.</param>
    /// <param name="plan">The plan so far.</param>
    /// <param name="rows">All rows recorded so far.</param>
    public static ResumedPlan Of(Scenario scenario, IReadOnlyList<PlannedIteration> plan, IReadOnlyList<IterationRow> rows)
    {
        var done = rows.Where(row => !row.Superseded).Select(row => (row.Iteration, row.Arm)).ToHashSet();
        var next = plan.Select(step => step.Iteration).Concat(rows.Select(row => row.Iteration)).DefaultIfEmpty(0).Max() + 1;
        var cut = WarmUpRule.Planned(scenario, plan, rows).Where(one => !done.Contains((one.Step.Iteration, one.Arm)))
            .Select(one => one.Step.Block).ToHashSet();
        var finished = plan.Where(step => !cut.Contains(step.Block));
        IReadOnlyList<PlannedIteration> remaining =
            [.. plan.Where(step => cut.Contains(step.Block)).Select(step => step with { Iteration = next++ })];
        return new ResumedPlan([.. finished, .. remaining], remaining);
    }
}
