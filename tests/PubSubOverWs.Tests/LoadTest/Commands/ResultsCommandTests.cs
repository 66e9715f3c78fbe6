using PubSubOverWs.Record.Files;
using PubSubOverWs.Tests.LoadTest.Harness.Runs;
using PubSubOverWs.Tests.Record;

namespace PubSubOverWs.Tests.LoadTest.Commands;

public sealed class ResultsCommandTests : IDisposable
{
    private readonly TestTerminal _terminal = new();
    private readonly string _folder = Directory.CreateTempSubdirectory("results-").FullName;

    public ResultsCommandTests() => _terminal.Variables["COLUMNS"] = "300";

    [Fact]
    public async Task Records_are_listed_newest_first_and_damaged_ones_among_them_in_one_sentence()
    {
        Keep("tiny/a", day: 1);
        Keep("tiny/b", day: 3, rows: 2);
        var cut = Keep("tiny/2026-01-02T00-00-00Z-cut", day: 2);
        await File.WriteAllTextAsync(RecordFiles.Run(cut), "{ \"record\": 1,");
        var without = Keep("tiny/without", day: 4);
        File.Delete(RecordFiles.Run(without));

        Assert.Equal(0, await _terminal.RunAsync("results", _folder));

        var lines = _terminal.Output.Split(Environment.NewLine, StringSplitOptions.RemoveEmptyEntries);
        Assert.Matches("^time \\(UTC\\) +scenario +n +loss % +p50 ms +ratio +verdict +folder$", lines[0]);
        Assert.Matches(@"^2026-01-03 00:00  tiny +1 +0 / 0 .* 1\.00  not complete +\S+b$", lines[1]);
        Assert.Matches(@"^2026-01-02 00:00 .*  DAMAGED +\S+-cut$", lines[2]);
        Assert.StartsWith("2026-01-01 00:00  ", lines[3], StringComparison.Ordinal);
        Assert.Matches(@"^unknown .*  DAMAGED +\S+without$", lines[4]);
        Assert.StartsWith($"DAMAGED: {cut}: run.json is cut or damaged in line ", lines[5], StringComparison.Ordinal);
        Assert.StartsWith($"DAMAGED: {without}: There is no run.json in ", lines[6], StringComparison.Ordinal);
        Assert.Equal(7, lines.Length);
    }

    [Fact]
    public async Task Records_in_several_folders_are_one_list()
    {
        var (a, b, _) = (Keep("tiny/a", day: 1), Keep("tiny/b", day: 3), Keep("tiny/c", day: 2));

        Assert.Equal(0, await _terminal.RunAsync("results", a, b));

        Assert.Matches("\\n2026-01-03 00:00 .*b\\r?\\n2026-01-01 00:00 .*a\\r?\\n$", _terminal.Output);
        Assert.Equal(5, await _terminal.RunAsync("results", a, Path.Combine(_folder, "nowhere")));
    }

    [Fact]
    public async Task Only_the_newest_are_listed_on_request()
    {
        Keep("tiny/a", day: 1);
        Keep("tiny/b", day: 3);

        Assert.Equal(0, await _terminal.RunAsync("results", _folder, "--last", "1"));

        Assert.Matches("\\n2026-01-03 00:00 .*b\\r?\\n$", _terminal.Output);
        Assert.DoesNotContain("2026-01-01", _terminal.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task In_a_file_and_on_a_narrow_terminal_the_folder_of_a_record_has_a_line_of_its_own()
    {
        var kept = Keep("tiny/a-name-that-a-user-gave-and-that-has-no-time-in-it-so-that-the-list-adds-the-time", day: 1);
        var longer = new string('x', 50);
        Keep($"tiny/2026-01-02T00-00-00Z-{longer}", day: 2);
        _terminal.Variables.Clear();

        Assert.Equal(0, await _terminal.RunAsync("results", _folder));

        var lines = _terminal.Output.Split(Environment.NewLine, StringSplitOptions.RemoveEmptyEntries);
        Assert.Matches("^scenario +n +loss % +p50 ms +ratio +verdict$", lines[0]);
        Assert.EndsWith(longer, lines[2], StringComparison.Ordinal);
        Assert.Equal($"  {kept}   (2026-01-01 00:00 UTC)", lines[4]);
    }

    [Fact]
    public async Task A_folder_without_records_says_so()
    {
        Assert.Equal(0, await _terminal.RunAsync("results", _folder));
        Assert.Equal($"There is no recorded run in {_folder}.{Environment.NewLine}", _terminal.Output);
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private string Keep(string name, int day, int rows = 4)
    {
        using var run = new RecordedRun(
            rows, complete: rows == 4, change: made => made with { Started = new DateTimeOffset(2026, 1, day, 0, 0, 0, TimeSpan.Zero) });
        var kept = Path.Combine([_folder, .. name.Split('/')]);
        TemporaryFolder.Copy(run.Folder, kept);
        return kept;
    }
}
