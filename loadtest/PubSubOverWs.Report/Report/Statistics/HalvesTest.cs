namespace PubSubOverWs.Report.Statistics;

/// <summary>
/// Whether values that were read in blocks drift within them: the second half of each block's values against the first, in an analysis of
/// variance with the factors block and half. That blocks differ is no drift.
/// </summary>
/// <param name="First">The mean of the first halves.</param>
/// <param name="Second">The mean of the second halves.</param>
/// <param name="Test">Of second less first; null: nothing to test.</param>
public sealed record HalvesTest(double First, double Second, TTest? Test)
{
    /// <param name="blocks">The values of each block, in the order in which they were read. Of an odd number the middle one is of neither
    /// half.</param>
    /// <returns>Null: no block has two values.</returns>
    public static HalvesTest? Of(IEnumerable<IReadOnlyList<double>> blocks)
    {
        (double[] First, double[] Second)[] halves =
        [
            .. blocks.Where(block => block.Count >= 2)
                .Select(block => (block.Take(block.Count / 2).ToArray(), block.TakeLast(block.Count / 2).ToArray())),
        ];
        if (halves.Length == 0)
            return null;
        double[] first = [.. halves.SelectMany(one => one.First)], second = [.. halves.SelectMany(one => one.Second)];
        var effect = second.Average() - first.Average();
        // What neither its block nor its half explains of a value.
        var rest = halves.Sum(one =>
        {
            var middle = one.First.Concat(one.Second).Average();
            var (before, after) = (middle - (effect / 2), middle + (effect / 2));
            return one.First.Sum(value => Squared(value - before)) + one.Second.Sum(value => Squared(value - after));
        });
        var df = (2 * first.Length) - halves.Length - 1;
        return new(first.Average(), second.Average(), df < 1 ? null : TestOf(effect, rest, df, first.Length));
    }

    private static TTest? TestOf(double effect, double rest, int df, int count)
    {
        if (rest == 0 && effect == 0)
            return null;
        var t = effect / Math.Sqrt(rest / df * 2 / count);
        return new TTest(t, df, StudentTails.TwoSided(t, df));
    }

    private static double Squared(double value) => value * value;
}
