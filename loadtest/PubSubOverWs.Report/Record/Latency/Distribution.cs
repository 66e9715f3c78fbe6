namespace PubSubOverWs.Record.Latency;

/// <summary>
/// The latencies of one iteration: the cells of a <see cref="LatencyHistogram"/> that are not empty, a few KB instead of 184. It does not
/// change.
/// </summary>
public sealed class Distribution : IEquatable<Distribution>
{
    private readonly int[] _indexes;
    private readonly long[] _upTo;

    /// <param name="cells">Indexes of the histogram, ascending, and how many are counted there, above 0.</param>
    internal Distribution(IReadOnlyList<(int Index, long Times)> cells)
    {
        _indexes = new int[cells.Count];
        _upTo = new long[cells.Count];
        for (var i = 0; i < cells.Count; i++)
        {
            _indexes[i] = cells[i].Index;
            _upTo[i] = Count += cells[i].Times;
        }
    }

    public long Count { get; }

    public static Distribution From(LatencyHistogram histogram)
    {
        var cells = new List<(int, long)>();
        for (var i = 0; i < histogram.Counts.Length; i++)
        {
            if (histogram.Counts[i] > 0)
                cells.Add((i, histogram.Counts[i]));
        }

        return new Distribution(cells);
    }

    /// <summary>All of them together; nothing is lost in it.</summary>
    public static LatencyHistogram Merge(IEnumerable<Distribution> parts)
    {
        var sum = new LatencyHistogram();
        foreach (var part in parts)
        {
            for (var i = 0; i < part._indexes.Length; i++)
                sum.Add(part._indexes[i], part.TimesAt(i));
        }

        return sum;
    }

    /// <summary>
    /// Mean, standard deviation (with n - 1; 0 for one value) and least value in microseconds, with each value in the middle of what counts
    /// as equal. There is at least one.
    /// </summary>
    public (double Mean, double Deviation, double Least) Moments()
    {
        double sum = 0, squares = 0;
        for (var i = 0; i < _indexes.Length; i++)
            sum += TimesAt(i) * LatencyHistogram.MiddleAt(_indexes[i]);
        var mean = sum / Count;
        for (var i = 0; i < _indexes.Length; i++)
            squares += TimesAt(i) * Math.Pow(LatencyHistogram.MiddleAt(_indexes[i]) - mean, 2);
        return (mean, Count < 2 ? 0 : Math.Sqrt(squares / (Count - 1)), LatencyHistogram.MiddleAt(_indexes[0]));
    }

    public bool Equals(Distribution? other) =>
        other is not null && _indexes.AsSpan().SequenceEqual(other._indexes) && _upTo.AsSpan().SequenceEqual(other._upTo);

    public override bool Equals(object? obj) => Equals(obj as Distribution);

    public override int GetHashCode() => HashCode.Combine(_indexes.Length, Count);

    private long TimesAt(int cell) => _upTo[cell] - (cell == 0 ? 0 : _upTo[cell - 1]);

    /// <summary>How many are counted at this index of the histogram or below it.</summary>
    internal long CountUpTo(int index)
    {
        var low = 0;
        var high = _indexes.Length;
        while (low < high)
        {
            var middle = (low + high) >>> 1;
            if (_indexes[middle] <= index)
                low = middle + 1;
            else
                high = middle;
        }

        return low == 0 ? 0 : _upTo[low - 1];
    }

    /// <summary>The index of the smallest value that at least this share of all does not exceed. There is at least one.</summary>
    internal int IndexAt(double share)
    {
        var rank = LatencyHistogram.Rank(share, Count);
        return _indexes[Array.FindIndex(_upTo, upTo => upTo >= rank)];
    }
}
