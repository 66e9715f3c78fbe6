namespace PubSubOverWs.LoadTest.Bench;

/// <summary>One server's readers, beside connections that never read and without them.</summary>
/// <param name="Pairs">In the order in which they ran.</param>
public sealed record ReadersFigures(string Server, IReadOnlyList<ReadersPair> Pairs)
{
    /// <summary>p99 beside those who never read over p99 without them.</summary>
    public IReadOnlyList<double> Ratios => [.. Pairs.Select(pair => pair.Beside.P99Milliseconds / pair.Without.P99Milliseconds)];

    /// <summary>p99 without them over p99 without them: what the set-up itself varies by.</summary>
    public IReadOnlyList<double> SelfRatios => [.. Pairs.Select(pair => pair.Again.P99Milliseconds / pair.Without.P99Milliseconds)];
}
