namespace PubSubOverWs.Experiment.Statistics;

/// <summary>
/// How much iterations of one block resemble each other: the intra-class correlation of a one-way analysis of variance (Fisher 1925).
/// </summary>
public static class IntraClass
{
    /// <summary>
    /// (MSB - MSW)/(MSB + (k - 1) MSW), with k the mean size of a block, adjusted where sizes differ. 1: a block is one reading; 0: blocks
    /// say nothing; may be below 0.
    /// </summary>
    /// <returns>Null below 2 blocks, where no block has 2 readings, or where all readings are equal.</returns>
    public static double? Correlation(IReadOnlyCollection<IReadOnlyCollection<double>> blocks)
    {
        var count = blocks.Sum(block => block.Count);
        if (blocks.Count < 2 || count == blocks.Count)
            return null;
        var mean = blocks.Sum(block => block.Sum()) / count;
        var moments = blocks.Select(Moments.Of).ToArray();
        var between = moments.Sum(block => block.Count * (block.Mean - mean) * (block.Mean - mean)) / (blocks.Count - 1);
        var within = moments.Sum(block => (block.Count - 1) * block.Variance) / (count - blocks.Count);
        var size = (count - (moments.Sum(block => (double)block.Count * block.Count) / count)) / (blocks.Count - 1);
        return between + within == 0 ? null : (between - within) / (between + ((size - 1) * within));
    }
}
