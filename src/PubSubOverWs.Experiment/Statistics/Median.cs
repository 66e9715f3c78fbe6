namespace PubSubOverWs.Experiment.Statistics;

/// <summary>The middle of some values.</summary>
public static class Median
{
    /// <summary>The mean of the two in the middle when their number is even. Null: there are none, or one of them is missing.</summary>
    public static double? Of(IEnumerable<double?> values)
    {
        var sorted = values.Order().ToArray();
        return sorted is [null, ..] or [] ? null : (sorted[(sorted.Length - 1) / 2] + sorted[sorted.Length / 2]) / 2;
    }
}
