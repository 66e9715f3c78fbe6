using System.Text.Json;
using PubSubOverWs.EndToEndTests.LoadTest;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Latency;
using PubSubOverWs.Record.Scenarios;

namespace PubSubOverWs.EndToEndTests.Node;

/// <summary>Modules under Node.js, without a browser: those of the page, and those that read what we write.</summary>
public sealed class ModuleTests : IDisposable
{
    private readonly TestFolder _folder = new();

    [TheoryNeeds(Needed.Node)]
    [InlineData("page/stomp.test.mjs")]
    [InlineData("page/session.test.mjs")]
    [InlineData("page/arrivals.test.mjs")]
    [InlineData("page/users.test.mjs")]
    public Task A_module_of_the_page_does_what_its_tests_say(string tests) => NodeProject.TestAsync(tests);

    [FactNeeds(Needed.Node)]
    public async Task The_samples_of_a_measurement_are_read_as_those_of_a_record()
    {
        await NodeProject.TestAsync("page/measure.test.mjs", ("SAMPLES", RecordFiles.Samples(_folder.Path)));

        Sample[] samples = [.. SampleFile.Read(_folder.Path, [new Flow("message", "publisher", "subscriber", LatencyFrom.Due)])];
        Assert.All(samples, sample => Assert.Equal(("direct", 1), (sample.Arm, sample.Iteration)));
        Attempt[] attempts = [.. samples.Select(sample => sample.Attempt)];
        Assert.Equal(
            [Outcome.Delivered, Outcome.Late, Outcome.Refused, Outcome.LostAcknowledged, Outcome.LostUnacknowledged, Outcome.Refused],
            attempts.Select(attempt => attempt.Outcome));
        Assert.Equal(
            [Cause.None, Cause.Deadline, Cause.NoSubscriber, Cause.Deadline, Cause.ServerClosed, Cause.ServerClosed],
            attempts.Select(attempt => attempt.Cause));
        Assert.Equal(TimeSpan.FromMicroseconds(12.3), attempts[0].Sent);
        Assert.All(attempts.Where((_, number) => number != 2), one => Assert.Equal(one, Accounted(one)));
    }

    [FactNeeds(Needed.Node)]
    public async Task Another_implementation_reads_our_histograms_and_we_read_its_histograms()
    {
        KeyValuePair<string, LatencyHistogram>[] ours = [new("direct-500", Spread(1)), new("pubsub-500", Spread(700))];
        await File.WriteAllTextAsync(
            Path.Combine(_folder.Path, "ours.hlog"),
            HistogramLog.Header + string.Concat(ours.Select(one => HistogramLog.Line(one.Key, one.Value) + "\n")));
        await File.WriteAllTextAsync(Path.Combine(_folder.Path, "expected.json"), JsonSerializer.Serialize(ours.Select(one => new
        {
            tag = one.Key,
            count = one.Value.Count,
            percentiles = new[] { 1, 50, 90, 99, 99.9,
                100 }.Select(percent => new[] { percent, one.Value.ValueAt(percent / 100)!.Value.TotalMicroseconds }),
        })));

        await NodeProject.TestAsync("histogram.test.mjs", ("HISTOGRAMS", _folder.Path));

        var lines = (await File.ReadAllLinesAsync(Path.Combine(_folder.Path, "theirs.hlog"))).Select(HistogramLog.ReadLine);
        var theirs = Distribution.Merge([lines.Single(line => line is not null)!.Value.Counted]);
        Assert.Equal(10_000, theirs.Count);
        var percentiles = JsonSerializer.Deserialize<double[][]>(await File.ReadAllTextAsync(Path.Combine(_folder.Path, "theirs.json")))!;
        Assert.All(percentiles, one => Assert.Equal(one[1], theirs.ValueAt(one[0] / 100)!.Value.TotalMicroseconds));
    }

    private static LatencyHistogram Spread(int step)
    {
        var histogram = new LatencyHistogram();
        for (var i = 0; i < 3000; i++)
            Assert.True(histogram.TryRecord(TimeSpan.FromTicks((long)(i % 97 * i) * step * TimeSpan.TicksPerMicrosecond)));
        return histogram;
    }

    public void Dispose() => _folder.Dispose();

    // What the load runner's accounting makes of it. A refusal by the broker needs the cause that only the receipt had.
    private static Attempt Accounted(Attempt one) => Accountant.Classify(
        new Observation(
            one.MessageId, one.Publisher, one.Recipient, one.Due, one.Sent, one.Receipt, Taken: one.Receipt is not null, one.Received,
            one.Cause == Cause.Deadline ? Cause.None : one.Cause),
        TimeSpan.FromSeconds(1));
}
