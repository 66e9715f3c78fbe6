namespace PubSubOverWs.Experiment.Scenarios;

/// <summary>What <see cref="RunPlan.Resume"/> found.</summary>
/// <param name="Whole">The plan that run.json gets: finished blocks, then what remains.</param>
/// <param name="Remaining">What is still to run; empty when the run was complete.</param>
public sealed record ResumedPlan(IReadOnlyList<PlannedIteration> Whole, IReadOnlyList<PlannedIteration> Remaining)
{
    /// <summary>The blocks that run again; their old rows are to be superseded.</summary>
    public IReadOnlySet<int> Blocks => Remaining.Select(step => step.Block).ToHashSet();
}
