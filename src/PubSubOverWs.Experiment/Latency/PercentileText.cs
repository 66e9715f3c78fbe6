namespace PubSubOverWs.Experiment.Latency;

/// <summary>HdrHistogram's percentile distribution (<c>.hgrm</c>), in ms, as its plotter reads it.</summary>
public static class PercentileText
{
    // Lines for each half of the distance to 100 %, as HdrHistogram's own tools print.
    private const int Ticks = 5;

    public static string Write(LatencyHistogram histogram)
    {
        var text = new StringBuilder("       Value     Percentile TotalCount 1/(1-Percentile)\n\n");
        var (level, below) = (0.0, 0L);
        for (var i = 0; below < histogram.Count; i++)
        {
            if (histogram.Counts[i] == 0)
                continue;
            below += histogram.Counts[i];
            var value = LatencyHistogram.HighestAt(i) / 1000.0;
            // The last value has one line for its level, and one for 100 %.
            for (var first = true; 100.0 * below / histogram.Count >= level && (first || below < histogram.Count); first = false)
            {
                text.Append(CultureInfo.InvariantCulture, $"{value,12:F3} {level / 100:F12} {below,10} {1 / (1 - (level / 100)),14:F2}\n");
                level += 100 / (Ticks * Math.Pow(2, Math.Floor(Math.Log2(100 / (100 - level))) + 1));
            }

            if (below == histogram.Count)
                text.Append(CultureInfo.InvariantCulture, $"{value,12:F3} {1:F12} {below,10}\n");
        }

        var (mean, deviation) = Moments(histogram);
        return text
            .Append(CultureInfo.InvariantCulture, $"#[Mean    = {mean / 1000,12:F3}, StdDeviation   = {deviation / 1000,12:F3}]\n")
            .Append(CultureInfo.InvariantCulture,
                $"#[Max     = {histogram.Max?.TotalMilliseconds ?? 0,12:F3}, Total count    = {histogram.Count,12}]\n")
            .Append(CultureInfo.InvariantCulture,
                $"#[Buckets = {LatencyHistogram.Buckets,12}, SubBuckets     = {LatencyHistogram.SubBucketCount,12}]\n")
            .ToString();
    }

    /// <summary>The distribution as far as the text holds it: what lies between two of its lines is counted at the upper one.</summary>
    /// <exception cref="RecordException">It is no such text, or is cut.</exception>
    public static LatencyHistogram Read(string text)
    {
        var histogram = new LatencyHistogram();
        var whole = false;
        foreach (var line in text.Split('\n').Select(line => line.Trim())
            .Where(line => line.Length > 0 && line[0] is not '#' && !line.StartsWith("Value", StringComparison.Ordinal)))
        {
            var fields = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
            if (fields.Length < 3
                || !double.TryParse(fields[0], CultureInfo.InvariantCulture, out var ms)
                || !long.TryParse(fields[2], CultureInfo.InvariantCulture, out var below)
                || below < histogram.Count
                || !(ms >= 0 && ms <= LatencyHistogram.Longest.TotalMilliseconds * 1.001))
                throw new RecordException($"A percentile distribution cannot be read: '{line}' is no line of one.");
            histogram.Add(
                Math.Min(LatencyHistogram.Index((long)Math.Round(ms * 1000)), histogram.Counts.Length - 1), below - histogram.Count);
            whole = fields is [_, "1.000000000000", _];
        }

        return whole || histogram.Count == 0
            ? histogram
            : throw new RecordException("A percentile distribution cannot be read: it is cut before 100 %.");
    }

    private static (double Mean, double Deviation) Moments(LatencyHistogram histogram)
    {
        double sum = 0, squares = 0;
        for (var i = 0; i < histogram.Counts.Length; i++)
            sum += LatencyHistogram.MiddleAt(i) * histogram.Counts[i];
        var mean = histogram.Count == 0 ? 0 : sum / histogram.Count;
        for (var i = 0; i < histogram.Counts.Length; i++)
            squares += (LatencyHistogram.MiddleAt(i) - mean) * (LatencyHistogram.MiddleAt(i) - mean) * histogram.Counts[i];
        return (mean, histogram.Count == 0 ? 0 : Math.Sqrt(squares / histogram.Count));
    }
}
