using System.IO.Compression;
using System.Text;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Tests.LoadTest.Harness.Network;
using PubSubOverWs.Tests.LoadTest.Harness.Runs;

namespace PubSubOverWs.Tests.LoadTest.Commands;

public sealed class ValidateCommandTests : IDisposable
{
    private const string Mend = ": copy the folder again from its source.";

    private readonly TestTerminal _terminal = new();
    private readonly RecordedRun _run = new(rows: 4, complete: true);

    public void Dispose() => _run.Dispose();

    [Fact]
    public async Task The_command_lists_the_files_that_it_read()
    {
        Assert.Equal(0, await _terminal.RunAsync("validate", _run.Folder));

        Assert.Equal(
            $"{_run.Folder}: 4 iterations, 2 events, 4 distributions, server stats, samples, complete; every file can be read and adds up.",
            _terminal.Output.Split('\n')[0].Trim());
        Assert.Contains("sums       none", _terminal.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Each_of_several_folders_is_checked_and_the_worst_exit_code_is_returned()
    {
        using var damaged = new RecordedRun(rows: 4, complete: true);
        File.Delete(RecordFiles.Flows(damaged.Folder));

        Assert.Equal(5, await _terminal.RunAsync("validate", damaged.Folder, _run.Folder));

        Assert.StartsWith($"{damaged.Folder}: There is no flows.csv", _terminal.Error, StringComparison.Ordinal);
        Assert.StartsWith($"{_run.Folder}: 4 iterations", _terminal.Output, StringComparison.Ordinal);
        Assert.Equal(0, await _terminal.RunAsync("validate", _run.Folder, _run.Folder));
    }

    [Fact]
    public async Task A_folder_without_samples_is_valid_and_reported_to_have_none()
    {
        File.Delete(RecordFiles.Samples(_run.Folder));
        File.Delete(RecordFiles.Stats(_run.Folder));

        Assert.Equal(0, await _terminal.RunAsync("validate", _run.Folder));

        Assert.Contains("no server stats, no samples, which committed folders leave out, complete", _terminal.Output);
    }

    [Theory]
    [InlineData("pubsub,2,id,0,0,0,0,,1000,delivered,,", "pubsub,2,id,0,0,0,0,,1000,late,deadline,")] // Another bucket than the row has.
    [InlineData("pubsub,2,id,0,0,0,0,,1000,delivered,,", "pubsub,2,id,0,0,0,0,,1000,late,,")] // Nothing is late without a cause.
    [InlineData("pubsub,2,id", "pubsub,2,id,0,0,0,0,,1000,delivered,,message,\npubsub,2,id")] // One attempt more.
    public async Task Samples_that_do_not_add_up_to_their_row_are_named(string from, string to)
    {
        ChangeSamples(text => text.Replace(from, to, StringComparison.Ordinal));

        Assert.Equal(5, await _terminal.RunAsync("validate", _run.Folder));

        Assert.Equal($"samples.csv.gz does not add up to pubsub, iteration 2, in flows.csv{Mend}", _terminal.Error.Trim());
    }

    [Fact]
    public async Task Samples_with_other_latencies_than_their_distribution_are_named()
    {
        ChangeSamples(text =>
            text.Replace("pubsub,2,id,0,0,0,0,,1000,", "pubsub,2,id,0,0,0,0,,1001,", StringComparison.Ordinal));

        Assert.Equal(5, await _terminal.RunAsync("validate", _run.Folder));

        Assert.Equal($"samples.csv.gz has other latencies of pubsub, iteration 2, than latency.hlog{Mend}", _terminal.Error.Trim());
    }

    [Fact]
    public async Task Samples_that_are_damaged_are_named()
    {
        ChangeSamples(text => text[..^1]);

        Assert.Equal(5, await _terminal.RunAsync("validate", _run.Folder));

        Assert.StartsWith("samples.csv.gz is cut or damaged in line 5: ", _terminal.Error);
    }

    [Theory]
    [InlineData("{")]
    [InlineData("[]")]
    [InlineData("{\"arm\":\"direct\",\"iteration\":1}")]
    public async Task Stats_that_are_damaged_are_named(string line)
    {
        await File.AppendAllTextAsync(RecordFiles.Stats(_run.Folder), line + "\n");

        await AssertNamedAsync("stats.jsonl, line 5, is cut or damaged");
    }

    [Fact]
    public async Task What_is_there_twice_or_has_no_row_is_named()
    {
        var stats = RecordFiles.Stats(_run.Folder);
        var lines = await File.ReadAllLinesAsync(stats);
        await File.AppendAllTextAsync(stats, lines[0] + "\n");
        await AssertNamedAsync("stats.jsonl has direct, iteration 1, in two places");

        await File.WriteAllLinesAsync(
            stats, [.. lines, lines[0].Replace("\"iteration\":1", "\"iteration\":9", StringComparison.Ordinal)]);
        await AssertNamedAsync("stats.jsonl has direct, iteration 9, which has no row in iterations.csv");

        await File.WriteAllLinesAsync(stats, lines);
        ChangeSamples(text => text + "direct,1,id,0,0,0,0,,1000,delivered,,message,\n");
        await AssertNamedAsync("samples.csv.gz has direct, iteration 1, in two places");
    }

    [Fact]
    public async Task A_run_that_sent_nothing_is_invalid_and_has_a_report()
    {
        var nothing = new LatencySummary { Count = 0 };
        var refused = new Buckets { Attempts = 1, Refused = 1, Causes = new CauseCounts(ConnectRefused: 1) };
        Attempt[] attempts = [new Attempt("m", 0, 0, TimeSpan.Zero, null, null, null, Outcome.Refused, Cause.ConnectRefused)];
        using var run = new RecordedRun(rows: 0);
        using (var writer = RecordWriter.Resume(run.Folder, RecordReader.Read(run.Folder).Run, new HashSet<int>()))
        {
            var trials = Trial.From(RecordedRun.Scenario, RunPlan.For(RecordedRun.Scenario));
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

    private async Task AssertNamedAsync(string sentence)
    {
        var terminal = new TestTerminal();
        Assert.Equal(5, await terminal.RunAsync("validate", _run.Folder));
        Assert.Equal(sentence + Mend, terminal.Error.Trim());
    }

    private void ChangeSamples(Func<string, string> change)
    {
        var path = RecordFiles.Samples(_run.Folder);
        string text;
        using (var reader = new StreamReader(new GZipStream(File.OpenRead(path), CompressionMode.Decompress)))
            text = reader.ReadToEnd();
        using var writer = new StreamWriter(new GZipStream(File.Create(path), CompressionLevel.Fastest));
        writer.Write(change(text));
    }

    private static void Write(string path, string text)
    {
        using var zip = new GZipStream(File.Create(path), CompressionLevel.Fastest);
        zip.Write(Encoding.UTF8.GetBytes(text));
    }
}
