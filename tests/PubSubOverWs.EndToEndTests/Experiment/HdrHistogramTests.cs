using System.Text.Json;
using PubSubOverWs.EndToEndTests.Node;
using PubSubOverWs.Record.Latency;

namespace PubSubOverWs.EndToEndTests.Experiment;

/// <summary>Our histograms beside those of hdr-histogram-js, in both directions.</summary>
public sealed class HdrHistogramTests
{
    [NodeFact]
    public async Task Another_implementation_reads_our_histograms_and_we_read_its_histograms()
    {
        var folder = Directory.CreateTempSubdirectory("histograms-").FullName;
        try
        {
            KeyValuePair<string, LatencyHistogram>[] ours = [new("direct-500", Spread(1)), new("pubsub-500", Spread(700))];
            await File.WriteAllTextAsync(
                Path.Combine(folder, "ours.hlog"),
                HistogramLog.Header + string.Concat(ours.Select(one => HistogramLog.Line(one.Key, one.Value) + "\n")));
            await File.WriteAllTextAsync(Path.Combine(folder, "expected.json"), JsonSerializer.Serialize(ours.Select(one => new
            {
                tag = one.Key,
                count = one.Value.Count,
                percentiles = new[] { 1, 50, 90, 99, 99.9,
                    100 }.Select(percent => new[] { percent, one.Value.ValueAt(percent / 100)!.Value.TotalMicroseconds }),
            })));

            await NodeProject.TestAsync("histogram.test.mjs", ("HISTOGRAMS", folder));

            var lines = (await File.ReadAllLinesAsync(Path.Combine(folder, "theirs.hlog"))).Select(HistogramLog.ReadLine);
            var theirs = Distribution.Merge([lines.Single(line => line is not null)!.Value.Counted]);
            Assert.Equal(10_000, theirs.Count);
            var percentiles = JsonSerializer.Deserialize<double[][]>(await File.ReadAllTextAsync(Path.Combine(folder, "theirs.json")))!;
            Assert.All(percentiles, one => Assert.Equal(one[1], theirs.ValueAt(one[0] / 100)!.Value.TotalMicroseconds));
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private static LatencyHistogram Spread(int step)
    {
        var histogram = new LatencyHistogram();
        for (var i = 0; i < 3000; i++)
            Assert.True(histogram.TryRecord(TimeSpan.FromTicks((long)(i % 97 * i) * step * TimeSpan.TicksPerMicrosecond)));
        return histogram;
    }
}
