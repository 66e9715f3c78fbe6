using PubSubOverWs.Experiment.Statistics;

namespace PubSubOverWs.LoadTest.Bench;

/// <summary>One server's readers, beside connections that never read and without them.</summary>
/// <param name="Pairs">In the order in which they ran.</param>
/// <param name="HeapLimitBytes">As the server's collector had it.</param>
/// <param name="PeakResidentBytes">Of the server's process; 0 where the system does not tell.</param>
/// <param name="End">Of another process of the same server.</param>
public sealed record ReadersFigures(
    string Server, IReadOnlyList<ReadersPair> Pairs, long HeapLimitBytes, long PeakResidentBytes, ReadersEnd End)
{
    /// <summary>
    /// Up to this ratio of p99 beside those who never read to p99 without them, it is held that they cost the others nothing that matters.
    /// </summary>
    public const double Bar = 1.5;

    /// <summary>p99 beside those who never read over p99 without them: what is judged.</summary>
    public IReadOnlyList<double> Ratios => [.. Pairs.Select(pair => pair.Deaf.P99Milliseconds / pair.Without.P99Milliseconds)];

    /// <summary>The middle of them is within <see cref="Bar"/>.</summary>
    public bool Holds => Median.Of(Ratios.Cast<double?>()) <= Bar;

    /// <summary>p99 beside those who never read over p99 beside the same connections that read the same messages.</summary>
    public IReadOnlyList<double> ReadingRatios => [.. Pairs.Select(pair => pair.Deaf.P99Milliseconds / pair.Reading.P99Milliseconds)];

    /// <summary>p99 without them over p99 without them: what the set-up itself varies by.</summary>
    public IReadOnlyList<double> SelfRatios => [.. Pairs.Select(pair => pair.Again.P99Milliseconds / pair.Without.P99Milliseconds)];

    /// <summary>The largest that was seen at the end of a leg.</summary>
    public long MostHeapBytes =>
        Pairs.SelectMany<ReadersPair, ReadersLeg>(pair => [pair.Without, pair.Reading, pair.Deaf, pair.Again]).Max(leg => leg.HeapBytes);
}
