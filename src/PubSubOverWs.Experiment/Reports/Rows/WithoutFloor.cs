namespace PubSubOverWs.Experiment.Reports.Rows;

/// <summary>Mean latencies of one level minus the floor of the set-up: the part of the servers.</summary>
/// <param name="Users">The level.</param>
/// <param name="FloorMs">The mean of the null echo over the blocks in which both arms and it have a value.</param>
/// <param name="FirstShare">Floor over the first arm's mean: near 1 the arm is as quick as an echo, and R says more about the load than
/// about the servers.</param>
/// <param name="SecondShare">Floor over the second arm's mean.</param>
/// <param name="Ratio">(second - floor)/(first - floor) of block means; null where the first arm is not above the floor.</param>
/// <param name="Ratio95">Its interval over blocks, paired; null where the first arm is not clear of the floor. It may be
/// negative, as the differences may.</param>
public sealed record WithoutFloor(int Users, double FloorMs, double FirstShare, double SecondShare, double? Ratio, Interval? Ratio95)
{
    /// <summary>Of each level that has a floor in two blocks of both arms at least.</summary>
    internal static IReadOnlyList<WithoutFloor> All(RunFolder folder)
    {
        var metric = MessageMetrics.Latency;
        return [.. MetricReadings.Read(folder, metric)
            .Select(level => Of(level, MetricReadings.Read(folder, Arm.Floor.Name, level.Level, metric))).OfType<WithoutFloor>()];
    }

    private static WithoutFloor? Of(LevelReadings level, IReadOnlyList<Reading> floor)
    {
        var first = new LevelReadings(level.Level, floor, level.First).BlockMeansByBlock;
        var second = new LevelReadings(level.Level, floor, level.Second).BlockMeansByBlock;
        var blocks = first.Keys.Intersect(second.Keys).Order()
            .Select(block => (Floor: first[block].First, First: first[block].Second, Second: second[block].Second)).ToArray();
        if (blocks.Length < 2)
            return null;
        var (echo, one, other) = (blocks.Average(block => block.Floor), blocks.Average(block => block.First),
            blocks.Average(block => block.Second));
        return one <= 0 || other <= 0 ? null : new WithoutFloor(
            level.Level.Number,
            echo,
            echo / one,
            echo / other,
            one > echo ? (other - echo) / (one - echo) : null,
            one > echo
                ? Statistics.Ratio.PairedFieller([.. blocks.Select(block => (block.First - block.Floor, block.Second - block.Floor))], 0.95)
                : null);
    }
}

/// <summary>The latency of a null echo at one level, in ms: what the set-up itself costs.</summary>
/// <param name="Users">The level.</param>
/// <param name="Iterations">One per block.</param>
/// <param name="Mean">Over iterations.</param>
/// <param name="Lowest">The lowest mean of an iteration.</param>
/// <param name="Highest">The highest mean of an iteration.</param>
public sealed record FloorRow(int Users, int Iterations, double? Mean, double? Lowest, double? Highest);
