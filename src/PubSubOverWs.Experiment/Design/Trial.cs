namespace PubSubOverWs.Experiment.Design;

/// <summary>One arm's turn: what becomes one row of iterations.csv.</summary>
/// <param name="Arm">What is measured: an arm of the scenario, or the floor.</param>
/// <param name="Level">What is varied beside the arm.</param>
/// <param name="Block">From 1.</param>
/// <param name="Iteration">Unique over the run; the arms of a pair share it.</param>
/// <param name="Order">The place in time over the whole run, from 1.</param>
/// <param name="WarmUp">Recorded, flagged and left out.</param>
public readonly record struct Trial(Arm Arm, Level Level, int Block, int Iteration, int Order, bool WarmUp)
{
    /// <summary>All turns of <paramref name="plan"/>, in the order they run.</summary>
    /// <param name="scenario">Whose arms they are.</param>
    /// <param name="plan">What is to be run.</param>
    /// <param name="lastOrder">The last place that is taken already, by rows of a run that is resumed.</param>
    public static IReadOnlyList<Trial> Of(Scenario scenario, IEnumerable<PlannedIteration> plan, int lastOrder = 0) =>
        [..
            from step in plan from name in step.Arms
                select new Trial(scenario.FindArm(name)!, step.Level, step.Block, step.Iteration, ++lastOrder, step.WarmUp)];
}
