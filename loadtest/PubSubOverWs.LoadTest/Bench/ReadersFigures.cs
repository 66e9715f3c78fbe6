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

/// <summary>What became of connections that do not read, of a server that disconnects them (<c>SlowConsumer=Disconnect</c>).</summary>
/// <param name="Deaf">Connections that did not read.</param>
/// <param name="Ended">Of them those that the server ended.</param>
/// <param name="Told">Of these those that found an ERROR, when they read at last, behind all that they were still given.</param>
/// <param name="Afterwards">What the readers found then.</param>
public sealed record ReadersEnd(int Deaf, long Ended, int Told, ReadersLeg Afterwards);

/// <summary>
/// Four legs, one after the other: in the middle the same connections, first while they read and then while they do not; the other two
/// change places from pair to pair.
/// </summary>
public sealed record ReadersPair(ReadersLeg Without, ReadersLeg Reading, ReadersLeg Deaf, ReadersLeg Again);

/// <summary>What stands beside the readers in a leg.</summary>
public enum ReadersSide
{
    /// <summary>Nothing: the readers alone.</summary>
    Without,

    /// <summary>The connections that will not read afterwards, with the same messages for them, while they still read.</summary>
    Reading,

    /// <summary>The same connections with the same messages, none of which they read, after all was filled that is kept for them.</summary>
    Deaf,
}
