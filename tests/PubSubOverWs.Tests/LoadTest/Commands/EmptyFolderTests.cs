using System.IO.Compression;
using System.Text;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Tests.LoadTest.Harness.Network;
using PubSubOverWs.Tests.LoadTest.Harness.Runs;

namespace PubSubOverWs.Tests.LoadTest.Commands;

/// <summary>Folders that read well and hold little: they are told from damaged ones.</summary>
public sealed class EmptyFolderTests
{
    private readonly TestTerminal _terminal = new();

    [Fact]
    public async Task A_run_that_sent_nothing_is_invalid_and_has_a_report()
    {
        var nothing = new LatencySummary { Count = 0 };
        var refused = new Buckets { Attempts = 1, Refused = 1, Causes = new CauseCounts(ConnectRefused: 1) };
        Attempt[] attempts = [new Attempt("m", 0, 0, TimeSpan.Zero, null, null, null, Outcome.Refused, Cause.ConnectRefused)];
        using var run = new RecordedRun(rows: 0);
        using (var writer = RecordWriter.Resume(run.Folder, RecordReader.Read(run.Folder).Run, new HashSet<int>()))
        {
            var trials = Trial.Of(RecordedRun.Scenario, RunPlan.For(RecordedRun.Scenario));
            writer.Add(RecordedRun.Start(trials[0]));
            foreach (var trial in trials.Take(2))
            {
                var row = RecordedRun.Row(trial.Arm.Name, trial.Block, trial.Iteration, trial.Order);
                writer.Add(row with { Buckets = refused, FromDue = nothing, FromSent = nothing }, attempts, []);
            }
        }

        Assert.Equal(2, await _terminal.RunAsync("report", run.Folder));
        Assert.Contains("INVALID    ", _terminal.Output, StringComparison.Ordinal);
        Assert.Equal(0, await _terminal.RunAsync("validate", run.Folder));
    }

    [Fact]
    public async Task An_arm_that_an_interrupted_run_never_reached_is_reported_as_missing()
    {
        using var run = new RecordedRun(rows: 1);
        Assert.Equal(2, await _terminal.RunAsync("report", run.Folder));
        Assert.Contains("(of a run that is not complete)", _terminal.Output, StringComparison.Ordinal);
        Assert.Contains(
            "This run is INCOMPLETE: 1 of 4 rows", await File.ReadAllTextAsync(Path.Combine(run.Folder, "report.md")),
            StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_samples_file_without_a_sample_lacks_all_rows()
    {
        using var run = new RecordedRun(rows: 4, complete: true);
        Write(RecordFiles.Samples(run.Folder),
            "arm,iteration,messageId,publisher,recipient,dueUs,sentUs,receiptUs,receivedUs,outcome,cause,flow,correlationId\n");
        Assert.Equal(5, await _terminal.RunAsync("validate", run.Folder));
        Assert.Equal(
            "samples.csv.gz lacks 4 of 4 rows of iterations.csv, the first direct, iteration 1: copy the folder again from its source.",
            _terminal.Error.Trim());
    }

    [Theory]
    [InlineData("iteration", "one")]
    [InlineData("publisher", "-1")]
    [InlineData("recipient", "99999999999")]
    [InlineData("dueUs", "NaN")]
    [InlineData("sentUs", "Infinity")]
    [InlineData("receivedUs", "99999999999999999999999999999999999")]
    [InlineData("outcome", "perhaps")]
    [InlineData("cause", "none of them")]
    [InlineData("flow", "of no name")]
    public async Task A_sample_with_an_invalid_value_is_named_with_its_column(string column, string value)
    {
        using var run = new RecordedRun(rows: 4, complete: true);
        var header = SampleCsv.Header.ToArray();
        var cells = "direct,1,id,0,0,0,0,,1000,delivered,,message,".Split(',');
        cells[Array.IndexOf(header, column)] = value;
        Write(RecordFiles.Samples(run.Folder), $"{string.Join(',', header)}\n{string.Join(',', cells)}\n");
        Assert.Equal(5, await _terminal.RunAsync("validate", run.Folder));
        Assert.Equal(
            $"samples.csv.gz, line 2, is damaged: column {column} holds '{value}', which is not a valid value; copy the folder again from "
                + "its source.",
            _terminal.Error.Trim());
    }

    private static void Write(string path, string text)
    {
        using var zip = new GZipStream(File.Create(path), CompressionLevel.Fastest);
        zip.Write(Encoding.UTF8.GetBytes(text));
    }
}
