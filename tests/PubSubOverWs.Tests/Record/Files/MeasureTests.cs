using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Formats;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Tests.Report.Standard;

namespace PubSubOverWs.Tests.Record.Files;

/// <summary>measures.csv, by the measures that the workload pairs keeps of its faults.</summary>
public sealed class MeasureTests
{
    private static readonly RunRecord Run = SmallFault.Folder.Run with { Ended = null, Complete = false };

    private static readonly IterationRow Row = SmallFault.Folder.Rows[0] with { Buckets = new Buckets { Attempts = 500, Delivered = 500 } };

    [Fact]
    public void Measures_of_the_clients_of_an_iteration_are_read_as_they_were_written()
    {
        using var folder = new TemporaryFolder();
        var fault = FaultRow.Find(Row)! with { PublisherAwayMean = null, SubscriberAwayMax = TimeSpan.FromTicks(12_345_678_901) };
        Write(folder.Path, Row with { Measures = fault.Measures });

        Assert.Equal(fault, FaultRow.Find(Assert.Single(RecordReader.Read(folder.Path).Rows)));
        var line = $"{Row.Arm},{Row.Iteration},subscriberAwayMaxUs,1234567890.1";
        Assert.Contains(line, File.ReadAllLines(RecordFiles.Measures(folder.Path)));
    }

    [Fact]
    public void An_experiment_without_measures_has_no_file_of_measures()
    {
        using var folder = new TemporaryFolder();
        using (var writer = RecordWriter.Create(folder.Path, Some.Underway))
            writer.Add(Some.Row("direct", 1, 1, 1), [Some.Attempt(1)], []);

        Assert.False(File.Exists(RecordFiles.Measures(folder.Path)));
        Assert.Null(FaultRow.Find(Assert.Single(RecordReader.Read(folder.Path).Rows)));
    }

    [Fact]
    public void A_row_without_its_measures_or_with_others_is_not_written()
    {
        using var folder = new TemporaryFolder();
        using var writer = RecordWriter.Create(folder.Path, Run);
        Assert.Throws<ArgumentException>(() => writer.Add(Row with { Measures = new Dictionary<string, double?>() }, Attempts, []));
        Assert.Throws<ArgumentException>(() => writer.Add(
            Row with { Measures = new Dictionary<string, double?>(Row.Measures) { ["heap"] = 1 } }, Attempts, []));
    }

    [Fact]
    public void Measures_without_a_row_which_a_kill_left_are_ignored()
    {
        using var folder = new TemporaryFolder();
        Write(folder.Path, Row);
        File.AppendAllText(RecordFiles.Measures(folder.Path), "pubsub,9,faultActions,4\npubsub,9,sub");
        using (RecordWriter.Resume(folder.Path, Run, new HashSet<int>()))
        {
        }

        Assert.Single(RecordReader.Read(folder.Path).Rows);
    }

    [Fact]
    public void A_file_that_does_not_fit_its_rows_is_named()
    {
        var key = $"{Row.Arm},{Row.Iteration},";
        Refused($"measures.csv must have 'faultActions' of {Row.Arm}, iteration {Row.Iteration}, once", key + "faultActions,2\n", "");
        Refused($"measures.csv must have 'faultActions' of {Row.Arm}, iteration {Row.Iteration}, once", key + "faultActions,2\n",
            $"{key}faultActions,2\n{key}faultActions,2\n");
        Refused("measures.csv has 'actions', which is no measure of the experiment", key + "faultActions,2\n",
            $"{key}faultActions,2\n{key}actions,2\n");
        Refused("The measure predictedLost of", "predictedLost,340", "predictedLost,501");
        Refused("The measure predictedLost of", "predictedLost,340", "predictedLost,-1");
        Refused("The measure neverBack of", "neverBack,0", "neverBack,0.5");
        Refused("The measure republished of", "republished,", "republished,-");
        Refused("measures.csv, line 2, is damaged", "faultActions,2", "faultActions,two");
    }

    private static Attempt[] Attempts => [.. Enumerable.Range(0, 500).Select(Some.Attempt)];

    private static void Refused(string named, string from, string to)
    {
        using var folder = new TemporaryFolder();
        Write(folder.Path, Row with { Measures = (FaultRow.Find(Row)! with { Republished = 1 }).Measures });
        var text = File.ReadAllText(RecordFiles.Measures(folder.Path));
        Assert.Contains(from, text, StringComparison.Ordinal);
        File.WriteAllText(RecordFiles.Measures(folder.Path), text.Replace(from, to, StringComparison.Ordinal));
        Assert.StartsWith(named, Assert.Throws<RecordException>(() => RecordReader.Read(folder.Path)).Message, StringComparison.Ordinal);
    }

    private static void Write(string folder, IterationRow row)
    {
        using var writer = RecordWriter.Create(folder, Run);
        writer.Add(row, Attempts, []);
    }
}

public sealed class FaultRowTests
{
    private static readonly IterationRow Row = Some.Row(Relays.Direct, 10, 2, 7);

    [Fact]
    public void A_row_sums_the_windows_of_its_iteration()
    {
        OfflineWindow[] windows = [Away(true, 0, 1, 1.2), Away(true, 1, 1, 1.6), Away(true, 2, 5, null), Away(false, 0, 2, 2.1)];
        var row = FaultRow.From(Row, actions: 2, [Due(0, 1.1), Due(2, 6), Due(2, 4)], windows, republished: 5);

        Assert.Equal((Relays.Direct, 7), (row.Arm, row.Iteration));
        Assert.Equal(
            (2, 3, 1, 1, 2L, 5L),
            (row.FaultActions, row.SubscriberWindows, row.PublisherWindows, row.NeverBack, row.PredictedLost, row.Republished));
        Assert.Equal(TimeSpan.FromSeconds(0.4), row.SubscriberAwayMean);
        Assert.Equal(TimeSpan.FromSeconds(0.6), row.SubscriberAwayMax);
        Assert.Equal(TimeSpan.FromSeconds(0.1), row.PublisherAwayMean);
    }

    [Fact]
    public void A_late_send_is_due_to_the_fault_if_its_publisher_was_offline_when_it_was_due()
    {
        Attempt[] attempts = [Late(0, 1.9), Late(0, 2.0), Late(1, 2.0), Due(0, 2.05)];
        Assert.Equal(1, FaultRow.From(Row, 0, attempts, [Away(false, 0, 2, 2.1), Away(true, 1, 1, 3)], 0).LateWhileAway);

        // Long after its publisher came back it is the load that is late.
        Assert.Equal(
            0, FaultRow.From(Row, 0, [Due(0, 2) with { Sent = TimeSpan.FromSeconds(2.121) }], [Away(false, 0, 2, 2.1)], 0).LateWhileAway);

        static Attempt Late(int user, double due) => Due(user, due) with { Sent = TimeSpan.FromSeconds(due + 0.021) };
    }

    [Fact]
    public void Offline_times_are_missing_and_not_0_if_no_client_was_offline()
    {
        var row = FaultRow.From(Row, 0, [Due(0, 1)], [], 0);
        Assert.Null(row.SubscriberAwayMean);
        Assert.Null(row.SubscriberAwayMax);
        Assert.Null(row.PublisherAwayMean);
    }

    private static OfflineWindow Away(bool isSubscriber, int user, double from, double? until)
    {
        TimeSpan? end = until is { } seconds ? TimeSpan.FromSeconds(seconds) : null;
        return new(isSubscriber, user, TimeSpan.FromSeconds(from), end, end);
    }

    private static Attempt Due(int user, double seconds) =>
        Some.Attempt(user) with { Due = TimeSpan.FromSeconds(seconds), Sent = TimeSpan.FromSeconds(seconds) };
}
