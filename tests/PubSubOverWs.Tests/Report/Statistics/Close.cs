namespace PubSubOverWs.Tests.Report.Statistics;

internal static class Close
{
    /// <summary>Equal within a relative tolerance: an absolute one says nothing about 1e-103.</summary>
    public static void Relative(double expected, double? actual, double tolerance)
    {
        Assert.NotNull(actual);
        Assert.True(Math.Abs(actual.Value - expected) <= tolerance * Math.Abs(expected), $"expected {expected:R}, got {actual:R}");
    }
}
