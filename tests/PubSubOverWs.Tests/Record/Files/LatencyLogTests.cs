using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Formats;
using PubSubOverWs.Record.Latency;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Tests.PubSubServer;

namespace PubSubOverWs.Tests.Record.Files;

public sealed class LatencyLogTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    private string Log => RecordFiles.Latency(_folder.Path);

    [Fact]
    public void Every_iteration_but_warm_up_has_a_line_with_its_arm_level_and_number()
    {
        Record(Row(1) with { WarmUp = true }, Row(2), Row(3));

        var read = RecordReader.Read(_folder.Path).Latency;

        Assert.Equal([2, 3], read.Keys.Select(key => key.Iteration));
        Assert.All(read.Values, one => Assert.Equal(2, one.Count));
        Assert.Equal(
            ["direct-2/2", "direct-2/3"],
            File.ReadLines(Log).Select(HistogramLog.ReadLine).OfType<(string Tag, Distribution)>().Select(one => one.Tag));
        Assert.StartsWith("#[Histogram log format version 1.3]\n", File.ReadAllText(Log), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("burst", 2000)]
    [InlineData("spread:2s", 7000)]
    public void The_log_counts_the_latency_that_is_judged(string arrival, int microseconds)
    {
        var attempt = Some.Attempt(1) with { Due = Micro(1000), Sent = Micro(6000), Received = Micro(8000) };
        Attempt[] attempts = [attempt, attempt with { Outcome = Outcome.Late },
            attempt with { Received = null, Outcome = Outcome.LostUnacknowledged }];

        var counted = LatencyLog.Count(attempts, [Flow.Message(Arrival.Parse(arrival))])[0];

        Assert.Equal(1, counted.Count);
        Assert.InRange(counted.Max!.Value, Micro(microseconds), Micro(microseconds * 1.001));
    }

    [Fact]
    public void A_reading_that_no_histogram_can_hold_is_counted_at_the_nearer_end()
    {
        var early = Some.Attempt(1) with { Sent = Micro(500), Received = Micro(400) };
        var never = Some.Attempt(2) with { Sent = Micro(0), Received = TimeSpan.FromHours(2) };

        var counted = LatencyLog.Count([early, never], [Flow.Message(Arrival.Burst)])[0];

        Assert.Equal((2, TimeSpan.Zero), (counted.Count, counted.ValueAt(0.5)));
        Assert.True(counted.Max >= LatencyHistogram.Longest);
    }

    [Fact]
    public void A_line_without_a_row_which_a_kill_left_is_ignored()
    {
        Record(Row(1));
        File.AppendAllText(Log, LatencyLog.Line(Row(2), Row(2).Flows[0].Flow, new LatencyHistogram()) + "\n");
        Assert.Equal([1], RecordReader.Read(_folder.Path).Latency.Keys.Select(key => key.Iteration));
    }

    [Fact]
    public void A_line_that_was_cut_by_a_kill_is_refused_until_the_run_is_resumed()
    {
        Record(Row(1));
        File.AppendAllText(Log, "Tag=direct-2/2,0.000,0.0");
        Assert.Equal(
            "latency.hlog is cut or damaged in line 4: resume the run, or copy the folder again from its source.",
            Refused());

        using (var writer = RecordWriter.Resume(_folder.Path, Some.Underway, new HashSet<int> { 1 }))
            writer.Add(Row(3), [Some.Attempt(1), Some.Attempt(2)], []);

        Assert.Equal([1, 3], RecordReader.Read(_folder.Path).Latency.Keys.Select(key => key.Iteration));
    }

    [Theory]
    [InlineData("Tag=direct-2/1,", "", "is damaged in line 3: it has no tag")]
    [InlineData("direct-2/1,", "direct-2/2,", "is damaged in line 4: it has no tag, or 'direct-2/2', which an earlier line has")]
    [InlineData("direct-2/1,", "direct-2/7,", "has no line of direct-2/1, which iterations.csv has")]
    [InlineData("direct-2/1,", "direct/1,", "has no line of direct-2/1, which iterations.csv has")]
    [InlineData("direct-2/1,0.000,", "direct-2/1,", "is cut or damaged in line 3")]
    [InlineData(",HIST", ",hist", "is cut or damaged in line 3")]
    public void A_missing_or_damaged_line_is_named(string from, string to, string named)
    {
        Record(Row(1), Row(2));
        var text = File.ReadAllText(Log);
        var at = text.IndexOf(from, StringComparison.Ordinal);
        File.WriteAllText(Log, string.Concat(text.AsSpan(0, at), to, text.AsSpan(at + from.Length)));
        Assert.StartsWith($"latency.hlog {named}", Refused(), StringComparison.Ordinal);
    }

    [Fact]
    public void A_log_that_counts_otherwise_than_its_row_or_is_missing_is_named()
    {
        Record(Row(1) with { FromSent = Some.Latency(1, 1000) });
        Assert.StartsWith(
            "latency.hlog counts 2 latencies of direct-2/1, and its row 1: ", Refused(),
            StringComparison.Ordinal);
        File.Delete(Log);
        Assert.StartsWith("There is no latency.hlog, which this run must have: ", Refused(), StringComparison.Ordinal);
    }

    public void Dispose() => _folder.Dispose();

    private void Record(params IterationRow[] rows)
    {
        using var writer = RecordWriter.Create(_folder.Path, Some.Underway);
        foreach (var row in rows)
            writer.Add(row, [Some.Attempt(1), Some.Attempt(2)], []);
    }

    private string Refused() => Assert.Throws<RecordException>(() => RecordReader.Read(_folder.Path)).Message;

    private static IterationRow Row(int iteration) => Some.Row(Relays.Direct, 2, 1, iteration);

    private static TimeSpan Micro(double value) => TimeSpan.FromMicroseconds(value);
}
