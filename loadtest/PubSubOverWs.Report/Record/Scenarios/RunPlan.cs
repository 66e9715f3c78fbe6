namespace PubSubOverWs.Record.Scenarios;

/// <summary>
/// The order of a run, decided before it starts: blocks; in each the levels in the order that the scenario has for it; in each level
/// floor, then pairs, both after their warm-up. Warm-ups are planned up to the bound: those that an arm does not need, because it is steady
/// by then, are left out when it runs. Where all trials of an iteration run at once, a block is its iterations one after the
/// other, each with every level.
/// </summary>
public static class RunPlan
{
    /// <summary>The plan of a whole run; the same scenario gives the same plan everywhere.</summary>
    public static IReadOnlyList<PlannedIteration> For(Scenario scenario)
    {
        var order = new ArmOrder(scenario.Seed);
        var plan = new List<PlannedIteration>();
        for (var block = 1; block <= scenario.Blocks; block++)
        {
            if (scenario.IsTogether)
            {
                var iterations = Math.Max(scenario.WarmUps, scenario.MostWarmUps) + Share(scenario.Iterations, scenario.Blocks, block);
                for (var i = 0; i < iterations; i++)
                {
                    foreach (var level in scenario.Levels)
                        Add(block, level, i);
                }

                continue;
            }

            foreach (var level in (scenario as ILevelPlan)?.LevelsIn(block) ?? scenario.Levels)
            {
                for (var i = 0; scenario.Floor && i <= scenario.WarmUps; i++)
                    plan.Add(new PlannedIteration(block, level, plan.Count + 1, i < scenario.WarmUps, [Arm.Floor.Name]));
                for (var i = 0; i < scenario.WarmUpsAt(level) + Share(scenario.IterationsAt(level), scenario.Blocks, block); i++)
                    Add(block, level, i);
            }
        }

        return plan;

        void Add(int block, Level level, int i)
        {
            string[] arms = [.. scenario.Arms.Where(arm => scenario.Has(arm, level)).Select(arm => arm.Name)];
            if (arms.Length > 0)
                plan.Add(new PlannedIteration(block, level, plan.Count + 1, i < scenario.WarmUpsAt(level), order.Next(arms)));
        }
    }

    /// <summary>How many of <paramref name="iterations"/> fall to a block: N dealt over B, the first N mod B blocks get one more.</summary>
    public static int Share(int iterations, int blocks, int block) => (iterations / blocks) + (block <= iterations % blocks ? 1 : 0);
}

/// <summary>One step of a run: the arms that share an iteration id, in the order in which they run.</summary>
/// <param name="Block">From 1.</param>
/// <param name="Iteration">Unique over the whole run, from 1.</param>
/// <param name="WarmUp">Recorded, flagged, left out.</param>
/// <param name="Arms">Two shuffled arms, or the floor alone.</param>
public sealed record PlannedIteration(int Block, Level Level, int Iteration, bool WarmUp, IReadOnlyList<string> Arms);

/// <summary>One arm in one iteration: a row of iterations.csv.</summary>
/// <param name="Arm">An arm of the scenario, or the floor.</param>
/// <param name="Block">From 1.</param>
/// <param name="Iteration">Unique over the run; the arms of a pair share it.</param>
/// <param name="Order">The place in time over the whole run, from 1.</param>
/// <param name="WarmUp">Recorded, flagged and left out.</param>
/// <param name="MoreWarmUps">How many warm-ups its arm has after it at most; 0 where their number is fixed.</param>
public readonly record struct Trial(Arm Arm, Level Level, int Block, int Iteration, int Order, bool WarmUp, int MoreWarmUps = 0)
{
    /// <summary>All turns of <paramref name="plan"/>, in the order they run.</summary>
    /// <param name="lastOrder">The last place that is taken already, by rows of a run that is resumed.</param>
    public static IReadOnlyList<Trial> From(Scenario scenario, IEnumerable<PlannedIteration> plan, int lastOrder = 0) =>
        [..
            from step in WithMoreWarmUps(scenario, plan)
                from name in step.Planned.Arms
                    select new Trial(
                        scenario.FindArm(name)!, step.Planned.Level, step.Planned.Block, step.Planned.Iteration, ++lastOrder,
                        step.Planned.WarmUp, step.More)];

    /// <summary>True: whether it runs depends on the warm-ups before it.</summary>
    public bool IsOptional(Scenario scenario) => WarmUp && scenario.MostWarmUps > 0 && Arm != Arm.Floor
        && scenario.MostWarmUps - MoreWarmUps > scenario.LeastWarmUps;

    private static IEnumerable<(PlannedIteration Planned, int More)> WithMoreWarmUps(Scenario scenario, IEnumerable<PlannedIteration> plan)
    {
        var seen = new Dictionary<(int Block, Level Level), int>();
        foreach (var step in plan)
        {
            if (!step.WarmUp || scenario.MostWarmUps == 0 || step.Arms.Contains(Arm.Floor.Name))
            {
                yield return (step, 0);
                continue;
            }

            var place = seen[(step.Block, step.Level)] = seen.GetValueOrDefault((step.Block, step.Level)) + 1;
            yield return (step, scenario.MostWarmUps - place);
        }
    }
}

/// <summary>
/// SplitMix64 (Steele, Lea and Flood 2014), written out: the same seed must give the same numbers on every runtime, which System.Random
/// does not promise.
/// </summary>
public sealed class SplitMix64(ulong seed)
{
    private const ulong Step = 0x9E3779B97F4A7C15;

    private ulong _state = seed;

    /// <summary>The number at a place of the sequence of a seed, from 0, without those before it.</summary>
    public static ulong At(ulong seed, ulong place) => Mix(seed + ((place + 1) * Step));

    public ulong Next() => Mix(_state += Step);

    /// <summary>From 0 to below 1, evenly; of its 53 bits each counts.</summary>
    public double NextShare() => (Next() >> 11) * (1.0 / (1UL << 53));

    private static ulong Mix(ulong z)
    {
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
        return z ^ (z >> 31);
    }
}

/// <summary>Shuffles the arms of each pair: the same seed gives the same order on every runtime.</summary>
public sealed class ArmOrder(long seed)
{
    private readonly SplitMix64 _numbers = new((ulong)seed);

    /// <summary>The arms in the order in which they run next; every order is equally likely.</summary>
    public IReadOnlyList<string> Next(IReadOnlyList<string> arms)
    {
        var order = arms.ToArray();
        for (var i = order.Length - 1; i > 0; i--)
        {
            // Two arms make the modulo exact; with a few more its bias is below 1e-18.
            var j = (int)(_numbers.Next() % (ulong)(i + 1));
            (order[i], order[j]) = (order[j], order[i]);
        }

        return order;
    }
}
