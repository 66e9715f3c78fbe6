using System.IO.Compression;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Tests.LoadTest.Harness.Runs;

namespace PubSubOverWs.Tests.LoadTest.Commands;

public sealed class ValidateCommandTests : IDisposable
{
    private const string Mend = ": copy the folder again from its source.";

    private readonly TestTerminal _terminal = new();
    private readonly RecordedRun _run = new(rows: 4, complete: true);

    [Fact]
    public async Task The_command_lists_the_files_that_it_read()
    {
        Assert.Equal(0, await _terminal.RunAsync("validate", _run.Folder));

        Assert.Equal(
            $"{_run.Folder}: 4 iterations, 2 events, 4 distributions in latency/, 4 files in stats/, 4 in samples/, complete; every file "
                + "can be read and adds up.", _terminal.Output.Split('\n')[0].Trim());
        Assert.Contains("sums       none", _terminal.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Iterations_that_the_queue_made_void_are_named_here_and_in_the_report_which_tells_no_loss_of_them()
    {
        const string Refused = "The queue at q refused SendMessageBatch with QueueDoesNotExist (it is gone): create it.";
        await File.AppendAllTextAsync(RecordFiles.Events(_run.Folder), $"1,failure,pubsub,iteration 2: send-error({Refused}) x 1\n");

        Assert.Equal(0, await _terminal.RunAsync("validate", _run.Folder));
        Assert.Contains($"not measured: pubsub at 1, 1 of 2 iterations void: iteration 2: send-error({Refused}) x 1", _terminal.Output);

        Assert.Equal(2, await _terminal.RunAsync("report", _run.Folder, "--gate", "pubsub.loss == 0"));
        Assert.Contains("INVALID    queue alive all along: not measured: pubsub at 1, 1 of 2 iterations void", _terminal.Output);
        Assert.Contains("not measured: pubsub at 1", await File.ReadAllTextAsync(Path.Combine(_run.Folder, "report.md")));
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
        Directory.Delete(Path.Combine(_run.Folder, "samples"), recursive: true);
        Directory.Delete(Path.Combine(_run.Folder, "stats"), recursive: true);

        Assert.Equal(0, await _terminal.RunAsync("validate", _run.Folder));

        Assert.Contains("0 files in stats/, none in samples/, which committed folders leave out, complete", _terminal.Output);
    }

    [Theory]
    [InlineData(",delivered,,", ",late,deadline,")] // Another bucket than the row has.
    [InlineData(",delivered,,", ",late,,")] // Nothing is late without a cause.
    [InlineData("id,0", "id,0,0,0,0,,1000,delivered,,message,\nid,0")] // One attempt more.
    public async Task Samples_that_do_not_add_up_to_their_row_are_named(string from, string to)
    {
        ChangeSamples(text => text.Replace(from, to, StringComparison.Ordinal));

        Assert.Equal(5, await _terminal.RunAsync("validate", _run.Folder));

        Assert.Equal(
            $"{Path.Combine("samples", "pubsub-2.csv.gz")} does not add up to its row in flows.csv{Mend}", _terminal.Error.Trim());
    }

    [Fact]
    public async Task Samples_with_other_latencies_than_their_distribution_are_named()
    {
        ChangeSamples(text => text.Replace(",1000,delivered", ",1001,delivered", StringComparison.Ordinal));

        Assert.Equal(5, await _terminal.RunAsync("validate", _run.Folder));

        Assert.Equal(
            $"{Path.Combine("samples", "pubsub-2.csv.gz")} has other latencies than {Path.Combine("latency", "pubsub-1.hlog")} in "
                + $"iteration 2{Mend}", _terminal.Error.Trim());
    }

    [Fact]
    public async Task Samples_that_are_damaged_are_named()
    {
        ChangeSamples(text => text[..^1]);

        Assert.Equal(5, await _terminal.RunAsync("validate", _run.Folder));

        Assert.StartsWith("samples/pubsub-2.csv.gz is cut or damaged in line 2: ", _terminal.Error);
    }

    [Theory]
    [InlineData("{")]
    [InlineData("[]")]
    public async Task Stats_that_are_damaged_are_named(string text)
    {
        await File.WriteAllTextAsync(RecordFiles.Stats(_run.Folder, Relays.Direct, 2), text);

        Assert.Equal(5, await _terminal.RunAsync("validate", _run.Folder));

        Assert.Equal($"{Path.Combine("stats", "direct-2.json")} is cut or damaged{Mend}", _terminal.Error.Trim());
    }

    public void Dispose() => _run.Dispose();

    private void ChangeSamples(Func<string, string> change)
    {
        var path = RecordFiles.Samples(_run.Folder, Relays.PubSub, 2);
        string text;
        using (var reader = new StreamReader(new GZipStream(File.OpenRead(path), CompressionMode.Decompress)))
            text = reader.ReadToEnd();
        using var writer = new StreamWriter(new GZipStream(File.Create(path), CompressionLevel.Fastest));
        writer.Write(change(text));
    }
}
