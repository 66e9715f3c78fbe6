namespace PubSubOverWs.Experiment.Design;

/// <summary>
/// The order of a run, decided before it starts: blocks; in each the levels as the scenario lists them; in each level floor, then pairs,
/// both after their warm-up.
/// </summary>
public static class RunPlan
{
    /// <summary>The plan of a whole run; the same scenario gives the same plan everywhere.</summary>
    public static IReadOnlyList<PlannedIteration> For(Scenario scenario)
    {
        var order = new ArmOrder(scenario.Seed);
        string[] arms = [.. scenario.Arms.Select(arm => arm.Name)];
        var plan = new List<PlannedIteration>();
        for (var block = 1; block <= scenario.Blocks; block++)
        {
            foreach (var level in scenario.Levels)
            {
                for (var i = 0; scenario.Floor && i <= scenario.WarmUps; i++)
                    plan.Add(new PlannedIteration(block, level, plan.Count + 1, i < scenario.WarmUps, [Arm.Floor.Name]));
                var measured = Share(scenario.Iterations, scenario.Blocks, block);
                for (var i = 0; i < scenario.WarmUps + measured; i++)
                    plan.Add(new PlannedIteration(block, level, plan.Count + 1, i < scenario.WarmUps, order.Next(arms)));
            }
        }

        return plan;
    }

    /// <summary>How many of <paramref name="iterations"/> fall to a block: N dealt over B, the first N mod B blocks get one more.</summary>
    public static int Share(int iterations, int blocks, int block) => (iterations / blocks) + (block <= iterations % blocks ? 1 : 0);
}

/// <summary>One step of a run: the arms that share an iteration id, in the order in which they run.</summary>
/// <param name="Block">From 1.</param>
/// <param name="Level">What is varied beside the arm.</param>
/// <param name="Iteration">Unique over the whole run, from 1.</param>
/// <param name="WarmUp">Recorded, flagged, left out.</param>
/// <param name="Arms">Two shuffled arms, or the floor alone.</param>
public sealed record PlannedIteration(int Block, Level Level, int Iteration, bool WarmUp, IReadOnlyList<string> Arms);
