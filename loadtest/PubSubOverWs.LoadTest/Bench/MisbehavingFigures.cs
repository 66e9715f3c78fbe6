namespace PubSubOverWs.LoadTest.Bench;

/// <summary>One server's well-behaved clients, beside others that misbehave.</summary>
/// <param name="Pairs">In the order in which they ran.</param>
public sealed record MisbehavingFigures(string Server, IReadOnlyList<MisbehavingPair> Pairs)
{
    /// <summary>
    /// A p99 beside misbehaving clients of up to this multiple of the p99 without them counts as no harm.
    /// </summary>
    public const double Bar = 2;

    /// <summary>The median ratio of each way to misbehave, in the order in which they ran.</summary>
    public IReadOnlyList<(Misbehaviour What, double Ratio)> Ratios =>
        [.. Pairs.GroupBy(pair => pair.What).Select(pairs => (pairs.Key, Median.Of(pairs.Select(pair => (double?)pair.Ratio))!.Value))];

    /// <summary>Copies for well-behaved clients that did not come, in all legs.</summary>
    public int Missing => Pairs.Sum(pair => pair.Without.Missing + pair.Beside.Missing);

    public long PeakResidentBytes => Pairs.Max(pair => pair.PeakResidentBytes);

    public bool MemoryHolds => Pairs.All(pair => pair.PeakResidentBytes <= pair.MemoryBoundBytes);

    /// <summary>Nothing is missing, no ratio is above <see cref="Bar"/>, and the server stayed within its memory.</summary>
    public bool Holds => Missing == 0 && MemoryHolds && Ratios.All(kind => kind.What == Misbehaviour.None || kind.Ratio <= Bar);
}
