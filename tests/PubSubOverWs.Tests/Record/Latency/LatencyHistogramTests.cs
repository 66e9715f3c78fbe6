using PubSubOverWs.Record.Formats;
using PubSubOverWs.Record.Latency;

namespace PubSubOverWs.Tests.Record.Latency;

public sealed class LatencyHistogramTests
{
    [Theory]
    [InlineData(0, 0)]
    [InlineData(1, 1)]
    [InlineData(2047, 2047)]
    [InlineData(2048, 2049)]
    [InlineData(1_000_000, 1_000_447)]
    [InlineData(3_600_000_000, 3_600_809_983)]
    public void A_value_is_known_to_one_in_a_thousand(long microseconds, long highestEqual)
    {
        var histogram = new LatencyHistogram();
        Assert.True(histogram.TryRecord(Micro(microseconds)));
        Assert.Equal(Micro(highestEqual), histogram.Max);
        Assert.True(highestEqual - microseconds <= microseconds / 1000.0);
    }

    [Fact]
    public void Values_below_zero_or_above_an_hour_are_not_counted_and_the_caller_is_told()
    {
        var histogram = new LatencyHistogram();
        Assert.False(histogram.TryRecord(Micro(-1)));
        Assert.False(histogram.TryRecord(TimeSpan.FromHours(1) + Micro(1)));
        Assert.Equal((0, null, null), (histogram.Count, histogram.Max, histogram.ValueAt(0.5)));
    }

    [Fact]
    public void Percentiles_are_those_of_the_samples_to_one_in_a_thousand()
    {
        var random = new Random(1);
        var samples = Enumerable.Range(0, 20_000).Select(_ => (long)Math.Exp(6 + (random.NextDouble() * 9))).Order().ToArray();
        var histogram = Of(samples);
        foreach (var share in new[] { 0, 0.001, 0.5, 0.9, 0.99, 0.9999, 1 })
        {
            var exact = samples[Math.Max(0, (int)Math.Ceiling((share * samples.Length) - 1e-9) - 1)];
            Assert.InRange(histogram.ValueAt(share)!.Value.TotalMicroseconds, exact, exact * 1.001);
        }
    }

    [Fact]
    public void Merged_histograms_are_the_histogram_of_all()
    {
        var one = Distribution.Merge(
        [
            Distribution.From(Of(Enumerable.Range(1, 5000).Select(i => i * 37L))),
            Distribution.From(Of(Enumerable.Range(1, 300).Select(i => i * 9001L))),
        ]);
        var all = Of([.. Enumerable.Range(1, 5000).Select(i => i * 37L), .. Enumerable.Range(1, 300).Select(i => i * 9001L)]);
        Assert.Equal((HistogramCode.Encode(all), 5300), (HistogramCode.Encode(one), one.Count));
    }

    [Fact]
    public void A_line_of_a_log_is_read_as_it_was_written()
    {
        LatencyHistogram[] all = [Of([0, 5, 5, 70_000, 3_600_000_000]), Of([])];
        Assert.All(all, one => Assert.Equal(
            ("direct-50/1", Distribution.From(one)), HistogramLog.ReadLine(HistogramLog.Line("direct-50/1", one))));
        Assert.All(HistogramLog.Header.Split('\n'), line => Assert.Null(HistogramLog.ReadLine(line)));
    }

    [Fact]
    public void Counts_of_any_size_and_runs_of_zeros_come_back()
    {
        var histogram = new LatencyHistogram();
        for (var bits = 0; bits < 56; bits++)
            Assert.True(histogram.TryRecord(Micro((bits * bits) + (bits % 3)), 1L << bits));
        var read = HistogramCode.DecodeCells(HistogramCode.Encode(histogram));
        Assert.Equal(histogram.Count, read.Count);
        Assert.Equal(HistogramCode.Encode(histogram), HistogramCode.Encode(Distribution.Merge([read])));
    }

    [Fact]
    public void Without_its_empty_cells_it_counts_the_same()
    {
        var histogram = Of(Enumerable.Range(0, 4000).Select(i => (long)i * i * 11));
        var cells = Distribution.From(histogram);
        Assert.Equal(cells, HistogramCode.DecodeCells(HistogramCode.Encode(histogram)));
        Assert.NotEqual(cells, Distribution.From(Of([1])));
        foreach (var share in new[] { 0, 0.001, 0.5, 0.99, 1 })
            Assert.Equal(histogram.ValueAt(share), Micro(LatencyHistogram.HighestAt(cells.IndexAt(share))));
        for (var index = 0; index < LatencyHistogram.Cells; index += 97)
            Assert.Equal(histogram.Counts[..(index + 1)].ToArray().Sum(), cells.CountUpTo(index));
        Assert.Equal(8000, Distribution.Merge([cells, cells]).Count);
    }

    [Theory]
    [InlineData("")]
    [InlineData("no base64!")]
    [InlineData("AAAAAAAAAAAAAAAA")]
    [InlineData("HISTFAAAAAR4nGNg")]
    public void A_bad_histogram_is_refused_in_one_sentence(string base64) =>
        Assert.Matches(
            @"^A histogram cannot be read: [^\n]+\.$", Assert.Throws<RecordException>(() => HistogramCode.DecodeCells(base64)).Message);

    [Fact]
    public void A_line_that_is_cut_is_refused_in_one_sentence() => Assert.Contains(
        "is cut", Assert.Throws<RecordException>(() => HistogramLog.ReadLine("Tag=direct,0.0,0.0")).Message, StringComparison.Ordinal);

    private static LatencyHistogram Of(IEnumerable<long> microseconds)
    {
        var histogram = new LatencyHistogram();
        foreach (var value in microseconds)
            Assert.True(histogram.TryRecord(Micro(value)));
        return histogram;
    }

    private static TimeSpan Micro(long value) => TimeSpan.FromTicks(value * TimeSpan.TicksPerMicrosecond);
}
