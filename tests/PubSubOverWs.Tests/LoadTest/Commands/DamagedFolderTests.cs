using System.Security.Cryptography;
using System.Text.RegularExpressions;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Tests.LoadTest.Harness.Runs;

namespace PubSubOverWs.Tests.LoadTest.Commands;

/// <summary>Whatever has happened to a folder: one sentence, an exit code of docs/reference/record.md, and no byte of it changed.</summary>
public sealed class DamagedFolderTests : IDisposable
{
    private const string Take = ": copy the folder again from its source.";
    private const string Resume = ": resume the run, or copy the folder again from its source.";

    private readonly RecordedRun _run = new(rows: 4, complete: true);

    public static TheoryData<string, string, string> Damages => new()
    {
        { "run.json", "cut", "run.json is cut or damaged in line \\d+" + Take },
        { "run.json", "empty", "run.json is cut or damaged in line 1" + Take },
        { "run.json", "folder", "run.json is a folder and must be a file" + Take },
        { "run.json", "missing", "There is no run.json in .+: it is not the folder of a run." },
        { "iterations.csv", "cut", "iterations.csv is cut or damaged in line 5" + Resume },
        { "iterations.csv", "short", "iterations.csv lacks 1 of 2 rows of \\w+, though run.json says that the run is complete" + Take },
        { "iterations.csv", "empty", "iterations.csv is cut or damaged in line 1" + Resume },
        { "iterations.csv", "folder", "iterations.csv is a folder and must be a file" + Take },
        { "iterations.csv", "missing", "There is no iterations.csv in .+: it is not the folder of a run." },
        { "flows.csv", "cut", "flows.csv is cut or damaged in line 5" + Resume },
        { "flows.csv", "short", "flows.csv must have 'message' of \\w+, iteration 2, once" + Take },
        { "flows.csv", "empty", "flows.csv is cut or damaged in line 1" + Resume },
        { "flows.csv", "folder", "flows.csv is a folder and must be a file" + Take },
        { "flows.csv", "missing", "There is no flows.csv, which this run must have" + Take },
        { "events.csv", "cut", "events.csv is cut or damaged in line 4" + Resume },
        { "events.csv", "empty", "events.csv is cut or damaged in line 1" + Resume },
        { "events.csv", "folder", "events.csv is a folder and must be a file" + Take },
        { "events.csv", "missing", "There is no events.csv in .+: it is not the folder of a run." },
        { "latency.hlog", "cut", "latency.hlog is cut or damaged in line 6" + Resume },
        { "latency.hlog", "short", "latency.hlog has no line of \\w+-1/2, which iterations.csv has" + Take },
        { "latency.hlog", "empty", "latency.hlog has no line of \\w+-1/1, which iterations.csv has" + Take },
        { "latency.hlog", "folder", "latency.hlog is a folder and must be a file" + Take },
        { "latency.hlog", "missing", "There is no latency.hlog, which this run must have" + Take },
    };

    public static TheoryData<string, string, string> DamagedSamples => new()
    {
        { "samples.csv.gz", "cut", "samples.csv.gz is cut or damaged in line \\d" + Resume },
        { "samples.csv.gz", "empty", "samples.csv.gz is cut or damaged in line 1" + Resume },
        { "samples.csv.gz", "folder", "samples.csv.gz is a folder and must be a file" + Take },
        { "stats.jsonl", "cut", "stats.jsonl is cut or damaged in line 4" + Resume },
        { "stats.jsonl", "short", "stats.jsonl lacks 1 of 4 rows of iterations.csv, the first \\w+, iteration 2" + Take },
        { "stats.jsonl", "empty", "stats.jsonl lacks 4 of 4 rows of iterations.csv, the first \\w+, iteration 1" + Take },
        { "stats.jsonl", "folder", "stats.jsonl is a folder and must be a file" + Take },
    };

    [Theory]
    [MemberData(nameof(Damages))]
    public async Task A_file_that_every_command_needs_is_named_by_each(string file, string damage, string sentence)
    {
        await new TestTerminal().RunAsync("report", _run.Folder);
        Damage(file, damage);
        await AssertRefusedAsync("report", sentence);
        await AssertRefusedAsync("validate", sentence);
    }

    [Theory]
    [MemberData(nameof(DamagedSamples))]
    public async Task A_file_that_no_report_needs_is_named_by_validate_and_the_report_is_made(string file, string damage, string sentence)
    {
        Damage(file, damage);
        Assert.Equal(0, await new TestTerminal().RunAsync("report", _run.Folder));
        await AssertRefusedAsync("validate", sentence);
    }

    [Fact]
    public async Task Where_one_file_of_a_report_cannot_be_written_all_old_ones_stay_and_nothing_is_left_behind()
    {
        await new TestTerminal().RunAsync("report", _run.Folder);
        var names = new[] { "report.md", "report.json", "report.html", "report.csv" };
        foreach (var name in names)
            await File.WriteAllTextAsync(Path.Combine(_run.Folder, name), "old");
        var taken = Directory.CreateDirectory(Path.Combine(_run.Folder, "report.html.new"));
        var terminal = new TestTerminal();

        Assert.Equal(5, await terminal.RunAsync("report", _run.Folder));

        Assert.StartsWith("The report cannot be written (", terminal.Error, StringComparison.Ordinal);
        taken.Delete();
        Assert.All(names, name => Assert.Equal("old", File.ReadAllText(Path.Combine(_run.Folder, name))));
        Assert.Empty(Directory.GetFiles(_run.Folder, "*.new", SearchOption.AllDirectories));
    }

    [Theory]
    [InlineData("iterations.csv")]
    [InlineData("events.csv")]
    [InlineData("latency.hlog")]
    [InlineData("run.json")]
    public async Task A_file_of_one_line_without_end_is_refused_before_it_is_all_in_memory(string file)
    {
        // Zero bytes, which no disk has to hold; LinesTests shows that only the beginning is read.
        using (var stream = File.Create(Path.Combine(_run.Folder, file)))
            stream.SetLength(65 << 20);

        await AssertRefusedAsync(
            "validate", $"{file} (is cut or damaged in line 1|has 68157440 bytes, and the maximum is 67108864).*");
    }

    [Fact]
    public async Task Samples_of_one_line_without_end_are_refused()
    {
        using (var zip = new System.IO.Compression.GZipStream(
            File.Create(RecordFiles.Samples(_run.Folder)), System.IO.Compression.CompressionLevel.Fastest))
        {
            var piece = new byte[1 << 20];
            for (var i = 0; i < 20; i++)
                zip.Write(piece);
        }

        await AssertRefusedAsync("validate", "samples.csv.gz is cut or damaged in line 1" + Resume);
    }

    [Fact]
    public async Task A_file_that_the_system_does_not_let_it_read_is_named()
    {
        if (!OperatingSystem.IsLinux())
            return;
        foreach (var file in new[] { "events.csv", "run.json" })
        {
            var path = Path.Combine(_run.Folder, file);
            File.Delete(path);
            // Its first byte is mapped nowhere: a read fails even for those who may read everything.
            File.CreateSymbolicLink(path, "/proc/self/mem");
            var terminal = new TestTerminal();

            Assert.Equal(5, await terminal.RunAsync("validate", _run.Folder));
            Assert.Contains("cannot be read (", terminal.Error, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task A_link_to_itself_is_refused()
    {
        var path = RecordFiles.Events(_run.Folder);
        File.Delete(path);
        File.CreateSymbolicLink(path, path);
        var terminal = new TestTerminal();

        Assert.Equal(5, await terminal.RunAsync("validate", _run.Folder));
        Assert.Contains("events.csv", terminal.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("Unexpected", terminal.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_arm_without_a_row_is_named()
    {
        var lines = await File.ReadAllLinesAsync(RecordFiles.Iterations(_run.Folder));
        await File.WriteAllTextAsync(
            RecordFiles.Iterations(_run.Folder),
            string.Concat(lines.Where(line => !line.StartsWith(Relays.PubSub, StringComparison.Ordinal)).Select(line => line + "\n")));
        await AssertRefusedAsync(
            "report", "iterations.csv lacks 2 of 2 rows of pubsub, though run.json says that the run is complete" + Take);
    }

    [Fact]
    public async Task Another_version_of_the_record_is_named()
    {
        var text = await File.ReadAllTextAsync(RecordFiles.Run(_run.Folder));
        await File.WriteAllTextAsync(
            RecordFiles.Run(_run.Folder), text.Replace("\"record\": 3", "\"record\": 4", StringComparison.Ordinal));
        const string sentence =
            "run.json is of record version 4, and this program reads version 3: use the version of the program that wrote it.";
        await AssertRefusedAsync("report", sentence);
        await AssertRefusedAsync("validate", sentence);
    }

    [Fact]
    public async Task A_folder_that_is_a_file_or_is_not_there_is_named()
    {
        var file = RecordFiles.Run(_run.Folder);
        foreach (var command in new[] { "report", "validate" })
        {
            var terminal = new TestTerminal();
            Assert.Equal(5, await terminal.RunAsync(command, file));
            Assert.Equal($"There is no folder {file}: name one that holds a run.json.", terminal.Error.Trim());
        }
    }

    [Fact]
    public async Task A_report_that_cannot_be_written_where_a_folder_stands_writes_nothing_else()
    {
        Directory.CreateDirectory(Path.Combine(_run.Folder, "report.json"));
        await AssertRefusedAsync(
            "report", "report.json is a folder where the report must have a file: remove it and make the report again.");
    }

    [Theory]
    [InlineData("users", "NaN", "-1", "99999999999", "1.5", "")]
    [InlineData("attempts", "Infinity", "-1", "99999999999999999999", "1e3", "")]
    [InlineData("duplicates", "NaN", "-1", "99999999999999999999")]
    [InlineData("collections", "NaN", "-1", "99999999999")]
    [InlineData("sentCount", "NaN", "-1", "99999999999999999999", "")]
    [InlineData("burstUs", "NaN", "-0.1", "99999999999999999999", "Infinity", "99999999999999999999999999999999999", "")]
    [InlineData("startUs", "NaN", "∞", "99999999999999999999", "")]
    [InlineData("scheduleLagP99Us", "NaN", "-Infinity", "99999999999999999999")]
    [InlineData("serverCpuUs", "NaN", "99999999999999999999")]
    [InlineData("droppedNoSubscriber", "NaN", "99999999999999999999")]
    [InlineData("queueSendCalls", "Infinity", "99999999999999999999")]
    [InlineData("sentMeanUs", "NaN", "Infinity", "-Infinity", "1e999", "1,5")]
    [InlineData("dueP99Us", "NaN", "Infinity", "1e999")]
    public async Task An_invalid_number_is_named_with_its_column(string column, params string[] values)
    {
        var path = RecordFiles.Iterations(_run.Folder);
        if (!(await File.ReadAllLinesAsync(path))[0].Split(',').Contains(column))
            path = RecordFiles.Flows(_run.Folder);
        var lines = await File.ReadAllLinesAsync(path);
        var at = Array.IndexOf(lines[0].Split(','), column);
        foreach (var value in values)
        {
            var cells = lines[1].Split(',');
            cells[at] = value.Contains(',', StringComparison.Ordinal) ? $"\"{value}\"" : value;
            await File.WriteAllTextAsync(
                path, string.Join("\n", [lines[0], string.Join(',', cells), .. lines[2..]]) + "\n");
            var sentence =
                $"{Path.GetFileName(path)}, line 2, is damaged: column {column} holds '{Regex.Escape(value)}', which is not a valid value; "
                    + "copy the folder again from its source.";
            await AssertRefusedAsync("report", sentence);
            await AssertRefusedAsync("validate", sentence);
        }
    }

    [Fact]
    public async Task An_invalid_time_of_an_event_is_named()
    {
        await File.AppendAllTextAsync(RecordFiles.Events(_run.Folder), "NaN,started,direct,\n");
        await AssertRefusedAsync(
            "report",
            "events.csv, line 4, is damaged: column atUs holds 'NaN', which is not a valid value; copy the folder again from its "
                + "source.");
    }

    public void Dispose() => _run.Dispose();

    private async Task AssertRefusedAsync(string command, string sentence)
    {
        var before = Files();
        var terminal = new TestTerminal();
        Assert.Equal(5, await terminal.RunAsync(command, _run.Folder));
        Assert.Matches($"^{sentence}$", terminal.Error.TrimEnd('\n'));
        Assert.Empty(terminal.Output);
        Assert.Equal(before, Files());
    }

    private void Damage(string file, string damage)
    {
        var path = Path.Combine(_run.Folder, file);
        var bytes = File.Exists(path) ? File.ReadAllBytes(path) : [];
        if (File.Exists(path))
            File.Delete(path);
        else
            Directory.Delete(path, recursive: true);
        switch (damage)
        {
            case "folder":
                Directory.CreateDirectory(path);
                break;
            case "empty":
                File.WriteAllBytes(path, []);
                break;
            case "cut":
                File.WriteAllBytes(
                    path,
                    file == "events.csv"
                        ? [.. bytes, .. "12,star"u8]
                        : bytes[..^Math.Min(bytes.Length - 1, file.EndsWith("csv", StringComparison.Ordinal) ? 3 : 30)]);
                break;
            case "short":
                File.WriteAllBytes(path, bytes[..(bytes.AsSpan(0, bytes.Length - 1).LastIndexOf((byte)'\n') + 1)]);
                break;
        }
    }

    private static string HashOf(string path)
    {
        using var file = File.OpenRead(path);
        return Convert.ToHexString(SHA256.HashData(file));
    }

    private string[] Files() => [.. Directory.EnumerateFiles(_run.Folder, "*", SearchOption.AllDirectories).Order(StringComparer.Ordinal)
        .Select(path => $"{path} {HashOf(path)}")];
}
