using System.IO.Compression;
using HdrHistogram;
using HdrHistogram.Utilities;
using PubSubOverWs.Record.Latency;
using PubSubOverWs.Tests.Repository;

namespace PubSubOverWs.Tests.Record.Latency;

/// <summary>HdrHistogram for .NET, an independent implementation, reads our logs.</summary>
public sealed class HdrHistogramReaderTests
{
    // What a log of ours is made for.
    private const long LongestUs = 3_600_000_000;

    /// <summary>The logs of the committed runs.</summary>
    public static TheoryData<string> Logs =>
        [.. Directory.EnumerateFiles(Path.Combine(SourceTree.Root, "results"), "*.hlog", SearchOption.AllDirectories)
            .Select(path => Path.GetRelativePath(SourceTree.Root, path).Replace('\\', '/'))
            .Order(StringComparer.Ordinal)];

    [Fact]
    public void The_other_implementation_reads_our_log_and_finds_every_value_to_three_digits()
    {
        var ours = new LatencyHistogram();
        var recorded = new List<long>();
        for (var us = 1L; us < LongestUs; us = us * 21 / 20 + 7)
        {
            Assert.True(ours.TryRecord(TimeSpan.FromMicroseconds(us)));
            recorded.Add(us);
        }

        var (tag, theirs) = Assert.Single(Read(HistogramLog.Line("direct-500", ours)));

        Assert.Equal(("direct-500", recorded.Count), (tag, theirs.TotalCount));
        for (var rank = 1; rank <= recorded.Count; rank++)
        {
            var percent = 100.0 * (rank - 0.25) / recorded.Count;
            var value = theirs.GetValueAtPercentile(percent);
            Assert.Equal(ours.ValueAt(percent / 100)!.Value.TotalMicroseconds, value);
            Assert.InRange((double)value, recorded[rank - 1], recorded[rank - 1] * 1.001 + 1);
        }
    }

    [Theory]
    [MemberData(nameof(Logs))]
    public void The_other_implementation_finds_our_counts_and_percentiles_in_each_iteration(string log)
    {
        var ours = SourceTree.Lines(log).Select(HistogramLog.ReadLine).OfType<(string Tag, Distribution Counted)>()
            .ToDictionary(line => line.Tag, line => Distribution.Merge([line.Counted]));

        foreach (var (tag, theirs) in Read(SourceTree.Read(log)))
        {
            Assert.Equal(ours[tag].Count, theirs.TotalCount);
            if (theirs.TotalCount == 0)
                continue;
            // Within a rank, not at its edge: the one rounds to the nearest rank and the other up.
            foreach (var share in new[] { 0, 0.5, 0.9, 0.99, 0.999, 1 })
            {
                var percent = 100 * (Math.Floor(share * (theirs.TotalCount - 1)) + 0.75) / theirs.TotalCount;
                Assert.Equal(ours[tag].ValueAt(percent / 100)!.Value.TotalMicroseconds, theirs.GetValueAtPercentile(percent));
            }
        }
    }

    private static List<(string Tag, HistogramBase Histogram)> Read(string log) =>
    [
        .. log.Split('\n').Where(line => line.StartsWith("Tag=", StringComparison.Ordinal)).Select(line => line.Split(','))
            .Select(cells => (cells[0]["Tag=".Length..], Decode(Convert.FromBase64String(cells[^1])))),
    ];

    // Their HistogramLogReader takes the first bytes that a stream gives for all of them, and fails with more than 8 KiB or so.
    private static HistogramBase Decode(byte[] compressed)
    {
        using var counts = new MemoryStream();
        using (var stream = new ZLibStream(new MemoryStream(compressed, 8, compressed.Length - 8), CompressionMode.Decompress))
            stream.CopyTo(counts);
        return HistogramEncoding.DecodeFromByteBuffer(ByteBuffer.Allocate(counts.ToArray()), 0);
    }
}
