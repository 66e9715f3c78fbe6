using PubSubOverWs.Experiment.Accounting;
using PubSubOverWs.Experiment.Experiments.Relay;
using PubSubOverWs.Experiment.Formats;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.Tests.Experiment.Reports;

namespace PubSubOverWs.Tests.Experiment.Records;

public sealed class FaultLogTests
{
    private static readonly RunRecord Run = SmallFault.Folder.Run with { Ended = null, Complete = false };

    private static readonly IterationRow Row = SmallFault.Folder.Rows[0] with { Buckets = new Buckets { Attempts = 500, Delivered = 500 } };

    private static readonly FaultRow Fault = SmallFault.Folder.Faults[(Row.Arm, Row.Iteration)] with { PublisherAwayMean = null };

    [Fact]
    public void What_befell_an_iteration_is_read_back_as_it_was()
    {
        using var folder = new TemporaryFolder();
        Write(folder.Path, Fault);
        Assert.Equal(Fault, Assert.Single(RecordReader.Read(folder.Path).Faults).Value);
        Assert.StartsWith("arm,users,block,iteration,deeds,", File.ReadAllText(RecordFiles.Faults(folder.Path)), StringComparison.Ordinal);
    }

    [Fact]
    public void A_run_without_pairs_has_no_such_file()
    {
        using var folder = new TemporaryFolder();
        using (var writer = RecordWriter.Create(folder.Path, Some.Underway))
        {
            writer.Add(Some.Row(Arms.Direct, 1, 1, 1), [Some.Attempt(1)], []);
            Assert.Throws<ArgumentException>(() => writer.Add(Some.Row(Arms.Direct, 1, 1, 2), [Some.Attempt(1)], [], Fault));
        }

        Assert.False(File.Exists(RecordFiles.Faults(folder.Path)));
        Assert.Empty(RecordReader.Read(folder.Path).Faults);
    }

    [Fact]
    public void A_row_of_pairs_is_not_written_without_what_befell_it()
    {
        using var folder = new TemporaryFolder();
        using var writer = RecordWriter.Create(folder.Path, Run);
        Assert.Throws<ArgumentException>(() => writer.Add(Row, Attempts, []));
    }

    [Fact]
    public void What_a_kill_left_without_its_row_counts_nowhere()
    {
        using var folder = new TemporaryFolder();
        Write(folder.Path, Fault);
        File.AppendAllText(RecordFiles.Faults(folder.Path), "pubsub,100,1,9,0,0,,,0,,0,0,0,0\ndirect,10");
        using (RecordWriter.Resume(folder.Path, Run, new HashSet<int>()))
        {
        }

        Assert.Single(RecordReader.Read(folder.Path).Faults);
    }

    [Fact]
    public void A_file_that_does_not_fit_its_rows_is_named()
    {
        Refused("faults.csv lacks ", _ => "");
        Refused("faults.csv has more than once ", line => line + line);
        Refused("faults.csv has other users", line => line.Replace(",100,", ",101,", StringComparison.Ordinal));
        Refused("more losses than attempts", line => line.Replace(",340,", ",501,", StringComparison.Ordinal));
        Refused("faults.csv, line 2, is damaged", line => line.Replace(",340,", ",-1,", StringComparison.Ordinal));
        Refused("faults.csv is cut or damaged in line 2", line => line[..^5]);
    }

    private static Attempt[] Attempts => [.. Enumerable.Range(0, 500).Select(Some.Attempt)];

    private static void Refused(string named, Func<string, string> change)
    {
        using var folder = new TemporaryFolder();
        Write(folder.Path, Fault);
        var lines = File.ReadAllText(RecordFiles.Faults(folder.Path));
        var second = lines.IndexOf('\n', StringComparison.Ordinal) + 1;
        File.WriteAllText(RecordFiles.Faults(folder.Path), lines[..second] + change(lines[second..]));
        Assert.Contains(named, Assert.Throws<RecordException>(() => RecordReader.Read(folder.Path)).Message, StringComparison.Ordinal);
    }

    private static void Write(string folder, FaultRow fault)
    {
        using var writer = RecordWriter.Create(folder, Run);
        writer.Add(Row, Attempts, [], fault);
    }
}
