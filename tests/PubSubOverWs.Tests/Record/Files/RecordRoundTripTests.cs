using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Formats;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Tests.PubSubServer;
using Sample = PubSubOverWs.Record.Files.Sample;

namespace PubSubOverWs.Tests.Record.Files;

public sealed class RecordRoundTripTests
{
    [Fact]
    public void A_record_is_read_exactly_as_it_was_written()
    {
        using var folder = new TemporaryFolder();
        var row = Some.Row(Relays.PubSub, 2, 1, 1, 1.0 / 3) with
        {
            Buckets = new Buckets { Attempts = 2, Delivered = 1, Refused = 1, Causes = new CauseCounts(HandshakeRejected: 1) },
            Anomalies = new Anomalies(1, 2, 3, 4),
            Drops = new ServerDrops(5, 6, 7),
            FromSent = Some.Latency(1, 1000),
        };
        var attempts = new[] { Some.Attempt(1),
            new Attempt("a,\"b\"", 2, 2, TimeSpan.Zero, null, null, null, Outcome.Refused, Cause.HandshakeRejected) };
        var happened = new EventRow(TimeSpan.FromTicks(-1), "handshake-rejected", "pubsub", "status 503,\n1 time");

        var stats = new ServerStats("pubsub", "{\"connections\":1,\"of\":{\"a\":1.50}}", null);

        using (var writer = RecordWriter.Create(folder.Path, Some.Underway))
        {
            writer.Add(row, attempts, [stats]);
            writer.Add(happened);
        }

        var read = RecordReader.Read(folder.Path);
        Assert.Equal(row, Assert.Single(read.Rows));
        Assert.Equal(happened with { Detail = "status 503, 1 time" }, Assert.Single(read.Events));
        Assert.Equal(attempts.Select(one => new Sample(Relays.PubSub, 1, one)), SampleFile.Read(folder.Path, Some.Scenario.Flows));
        Assert.Equivalent(Some.Underway, read.Run, strict: true);
        var line = Assert.Single(StatsLine.ReadAll(folder.Path));
        Assert.Equal((Relays.PubSub, 1, stats), (line.Arm, line.Iteration, Assert.Single(line.Servers)));
    }

    [Fact]
    public void The_same_run_is_written_to_the_same_bytes()
    {
        using var one = new TemporaryFolder();
        using var other = new TemporaryFolder();
        foreach (var folder in new[] { one, other })
        {
            using var writer = RecordWriter.Create(folder.Path, Some.Underway);
            writer.Add(Some.Row(Relays.Direct, 2, 1, 1), [Some.Attempt(1), Some.Attempt(2)], []);
        }

        foreach (var file in Directory.GetFiles(one.Path, "*", SearchOption.AllDirectories))
            Assert.Equal(File.ReadAllBytes(file), File.ReadAllBytes(other.Of(Path.GetRelativePath(one.Path, file))));
    }

    [Fact]
    public void A_record_that_may_not_be_written_keeps_its_sums_when_it_is_not_resumed()
    {
        using var folder = new TemporaryFolder();
        using (var writer = RecordWriter.Create(folder.Path, Some.Underway))
            writer.End(Some.Underway);

        // As another program that writes it, or rights that forbid it.
        using (new FileStream(RecordFiles.Events(folder.Path), FileMode.Open, FileAccess.ReadWrite, FileShare.None))
            Assert.Throws<RecordException>(() => RecordWriter.Resume(folder.Path, Some.Underway, new HashSet<int>()));

        Assert.True(Checksums.AreIn(folder.Path));
    }

    [Fact]
    public void A_resumed_record_keeps_the_rows_of_the_cut_block_flagged_and_drops_a_cut_line()
    {
        using var folder = new TemporaryFolder();
        using (var writer = RecordWriter.Create(folder.Path, Some.Underway))
        {
            writer.Add(Some.Row(Relays.Direct, 1, 1, 1), [Some.Attempt(1)], []);
            writer.Add(Some.Row(Relays.Direct, 1, 2, 2), [Some.Attempt(1)], []);
        }

        File.AppendAllText(RecordFiles.Iterations(folder.Path), "direct,1,2");
        using (var writer = RecordWriter.Resume(folder.Path, Some.Underway with { Resumed = 1 }, new HashSet<int> { 2 }))
            writer.Add(Some.Row(Relays.Direct, 1, 2, 3), [Some.Attempt(1)], []);

        var read = RecordReader.Read(folder.Path);
        Assert.Equal([(1, false), (2, true), (3, false)], read.Rows.Select(row => (row.Iteration, row.Superseded)));
        Assert.Equal(1, read.Run.Resumed);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(5)]
    [InlineData(12)]
    [InlineData(40)]
    public void What_a_kill_cut_of_the_samples_is_left_out_when_the_run_is_resumed(int left)
    {
        using var folder = new TemporaryFolder();
        var path = RecordFiles.Samples(folder.Path);
        long whole;
        using (var writer = RecordWriter.Create(folder.Path, Some.Underway))
        {
            writer.Add(Some.Row(Relays.Direct, 2, 1, 1), [Some.Attempt(1), Some.Attempt(2)], []);
            whole = new FileInfo(path).Length;
            writer.Add(Some.Row(Relays.Direct, 2, 2, 2), [Some.Attempt(1), Some.Attempt(2)], []);
        }

        // Within the head of the last gzip member, or within its data.
        File.WriteAllBytes(path, File.ReadAllBytes(path)[..(int)(whole + left)]);
        using (var writer = RecordWriter.Resume(folder.Path, Some.Underway, new HashSet<int>()))
            writer.Add(Some.Row(Relays.Direct, 1, 2, 3), [Some.Attempt(7)], []);

        var read = SampleFile.Read(folder.Path, Some.Scenario.Flows).ToArray();
        Assert.Equal([1, 1], read[..2].Select(sample => sample.Iteration));
        Assert.Equal(new Sample(Relays.Direct, 3, Some.Attempt(7)), read[^1]);
    }

    [Fact]
    public void A_row_whose_buckets_do_not_add_up_is_not_written()
    {
        using var folder = new TemporaryFolder();
        using var writer = RecordWriter.Create(folder.Path, Some.Underway);
        var row = Some.Row(Relays.Direct, 2, 1, 1) with { Buckets = new Buckets { Attempts = 2, Delivered = 1 } };
        Assert.Throws<ArgumentException>(() => writer.Add(row, [Some.Attempt(1), Some.Attempt(2)], []));
    }

    [Fact]
    public void A_folder_that_holds_a_run_is_not_written_over()
    {
        using var folder = new TemporaryFolder();
        RecordWriter.Create(folder.Path, Some.Underway).Dispose();
        var refused = Assert.Throws<RecordException>(() => RecordWriter.Create(folder.Path, Some.Underway));
        Assert.Contains("already holds a run", refused.Message, StringComparison.Ordinal);
    }
}
