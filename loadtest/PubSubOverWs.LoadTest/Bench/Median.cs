namespace PubSubOverWs.LoadTest.Bench;

/// <summary>The middle of some values.</summary>
internal static class Median
{
    /// <summary>The mean of the two in the middle when their number is even; null: there are none.</summary>
    public static double? Of(IEnumerable<double> values)
    {
        var sorted = values.Order().ToArray();
        return sorted.Length == 0 ? null : (sorted[(sorted.Length - 1) / 2] + sorted[sorted.Length / 2]) / 2;
    }
}
