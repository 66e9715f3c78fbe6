namespace PubSubOverWs.Record.Latency;

/// <summary>HdrHistogram's log: one tagged line for each histogram, which any of its readers merges and plots.</summary>
public static class HistogramLog
{
    private const string Legend = "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"";
    private const string TagMark = "Tag=";

    /// <summary>The first lines of a log, each with its end.</summary>
    public const string Header = $"#[Histogram log format version 1.3]\n{Legend}\n";

    /// <summary>Start and length are 0: the levels of a run are no intervals of a clock. The maximum is in ms.</summary>
    /// <param name="histograms">By a tag without comma or line end, such as <c>direct-500</c>.</param>
    public static string Write(IEnumerable<KeyValuePair<string, LatencyHistogram>> histograms)
    {
        var text = new StringBuilder(Header);
        foreach (var (tag, histogram) in histograms)
            text.Append(Line(tag, histogram)).Append('\n');
        return text.ToString();
    }

    /// <summary>One line, without its end; as <see cref="Write"/> writes it.</summary>
    public static string Line(string tag, LatencyHistogram histogram) =>
        Invariant($"{TagMark}{tag},0.000,0.000,{histogram.Max?.TotalMilliseconds ?? 0:F3},{HistogramCode.Encode(histogram)}");

    /// <summary>Lines of one tag are merged; those without a tag have "".</summary>
    /// <exception cref="RecordException">A line is none of such a log.</exception>
    public static IReadOnlyDictionary<string, LatencyHistogram> Read(string text)
    {
        var lines = text.Split('\n').Select(line => line.Trim()).Select(ReadLine).OfType<(string Tag, Distribution Counted)>();
        return lines.GroupBy(line => line.Tag).ToDictionary(tag => tag.Key, tag => Distribution.Merge(tag.Select(line => line.Counted)));
    }

    /// <summary>The tag ("" where there is none) and the histogram of one line; null: it is empty, a comment or the legend.</summary>
    /// <exception cref="RecordException">It is no line of such a log.</exception>
    public static (string Tag, Distribution Counted)? ReadLine(string line)
    {
        if (line.Length == 0 || line[0] is '#' or '"')
            return null;
        var fields = line.Split(',');
        var tagged = fields[0].StartsWith(TagMark, StringComparison.Ordinal);
        if (fields.Length != (tagged ? 5 : 4))
            throw new RecordException("A line of the histogram log is cut: it does not have start, length, maximum and histogram.");
        return (tagged ? fields[0][TagMark.Length..] : "", HistogramCode.DecodeCells(fields[^1]));
    }
}
