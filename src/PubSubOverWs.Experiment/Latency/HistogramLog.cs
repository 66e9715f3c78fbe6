using System.Globalization;
using System.Text;
using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.Experiment.Latency;

/// <summary>HdrHistogram's log: one tagged line for each histogram, which any of its readers merges and plots.</summary>
public static class HistogramLog
{
    private const string Legend = "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"";
    private const string TagMark = "Tag=";

    /// <summary>Start and length are 0: the levels of a run are no intervals of a clock. The maximum is in ms.</summary>
    /// <param name="histograms">By a tag without comma or line end, such as <c>direct-500</c>.</param>
    public static string Write(IEnumerable<KeyValuePair<string, LatencyHistogram>> histograms)
    {
        var text = new StringBuilder($"#[Histogram log format version 1.3]\n{Legend}\n");
        foreach (var (tag, histogram) in histograms)
            text.Append(CultureInfo.InvariantCulture, $"{TagMark}{tag},0.000,0.000,{histogram.Max?.TotalMilliseconds ?? 0:F3},{HistogramCode.Encode(histogram)}\n");
        return text.ToString();
    }

    /// <summary>Lines of one tag are merged; those without a tag have "".</summary>
    /// <exception cref="RecordException">A line is none of such a log.</exception>
    public static IReadOnlyDictionary<string, LatencyHistogram> Read(string text)
    {
        var histograms = new Dictionary<string, LatencyHistogram>();
        foreach (var line in text.Split('\n').Select(line => line.Trim()).Where(line => line.Length > 0 && line[0] is not ('#' or '"')))
        {
            var fields = line.Split(',');
            var tagged = fields[0].StartsWith(TagMark, StringComparison.Ordinal);
            if (fields.Length != (tagged ? 5 : 4))
                throw new RecordException("A line of the histogram log is cut: it does not have start, length, maximum and histogram.");
            var tag = tagged ? fields[0][TagMark.Length..] : "";
            var histogram = HistogramCode.Decode(fields[^1]);
            if (!histograms.TryAdd(tag, histogram))
                histograms[tag].Merge(histogram);
        }

        return histograms;
    }
}
