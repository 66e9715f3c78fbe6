using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Formats;
using PubSubOverWs.Report;
using PubSubOverWs.Tests.Repository;

namespace PubSubOverWs.Tests.Record.Files;

/// <summary>Records of version 1, as most committed ones are, are read into the same as those of version 2.</summary>
public sealed class Version1Tests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public static TheoryData<string> Committed =>
        [.. CommittedRuns.Folders
            .Where(folder => !SourceTree.Read($"{folder}/run.json").Contains("\"record\": 2", StringComparison.Ordinal))];

    [Theory]
    [MemberData(nameof(Committed))]
    public void A_record_of_version_1_that_is_written_as_version_2_gives_the_same_reports(string committed)
    {
        var before = RecordReader.Read(Path.Combine(SourceTree.Root, committed));
        Assert.True(before.Run.IsVersion1);

        Rewritten.Into(_folder.Path, before);

        var after = RecordReader.Read(_folder.Path);
        Assert.False(after.Run.IsVersion1);
        CrossChecks.Check(after);
        Assert.Equal(ReportFolder.Make(before).Named, ReportFolder.Make(after).Named);
        Assert.Equal(before.Latency, after.Latency);
    }

    [Fact]
    public void A_record_from_before_collections_were_counted_is_read_without_them()
    {
        Copy(CommittedRuns.Burst);
        var lines = File.ReadAllLines(_folder.Of("iterations.csv")).Select(line => line.Split(',')).ToArray();
        var added = Array.IndexOf(lines[0], "collections");
        File.WriteAllLines(
            _folder.Of("iterations.csv"),
            lines.Select(cells => string.Join(',', added < 0 ? cells : cells.Where((_, i) => i != added))));

        Assert.All(RecordReader.Read(_folder.Path).Rows, row => Assert.Null(row.Collections));
    }

    [Theory]
    [InlineData("faults.csv lacks ", "")]
    [InlineData("faults.csv has more than once ", "{0}\n{0}\n")]
    [InlineData("faults.csv has other users or another block for ", "{0}\n", ",1000,1,", ",1001,1,")]
    [InlineData("The measure neverBack of", "{0}\n", ",0,0,0,0", ",-1,0,0,0")]
    [InlineData("faults.csv is cut or damaged in line ", "{0},\n")]
    public void A_faults_csv_that_does_not_fit_its_rows_is_named(string named, string line, string from = "", string to = "")
    {
        Copy("none");
        var lines = File.ReadAllLines(_folder.Of("faults.csv"));
        var changed = from.Length == 0 ? lines[1] : lines[1].Replace(from, to, StringComparison.Ordinal);
        Assert.True(from.Length == 0 || changed != lines[1]);
        File.WriteAllText(
            _folder.Of("faults.csv"),
            lines[0] + "\n" + line.Replace("{0}", changed, StringComparison.Ordinal) + string.Concat(lines[2..].Select(one => one + "\n")));

        var refused = Assert.Throws<RecordException>(() => RecordReader.Read(_folder.Path));
        Assert.StartsWith(named, refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Version_1_is_not_written()
    {
        Copy(CommittedRuns.Burst);
        var run = RecordReader.Read(_folder.Path).Run with { Complete = false };

        Assert.Throws<ArgumentException>(() => RecordWriter.Resume(_folder.Path, run, new HashSet<int>()));
        Assert.Throws<ArgumentException>(() => RecordWriter.Create(_folder.Of("new"), run));
    }

    public void Dispose() => _folder.Dispose();

    // Without its sums, which would be the first thing that does not hold.
    private void Copy(string name)
    {
        CommittedRuns.Copy(name, _folder.Path);
        File.Delete(_folder.Of(Checksums.FileName));
    }
}
