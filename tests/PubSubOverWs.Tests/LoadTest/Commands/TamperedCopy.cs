using System.Globalization;
using System.Text.Json.Nodes;
using PubSubOverWs.Record.Files;

namespace PubSubOverWs.Tests.LoadTest.Commands;

/// <summary>A copy of a committed record, and ways to change its files so that they can still be read.</summary>
public abstract class TamperedCopy : IDisposable
{
    protected string Folder { get; } = Directory.CreateTempSubdirectory("tampered-").FullName;

    public void Dispose()
    {
        Directory.Delete(Folder, recursive: true);
        GC.SuppressFinalize(this);
    }

    protected async Task AssertRefusedAsync(string sentence, string? folder = null)
    {
        var terminal = new TestTerminal();

        Assert.Equal(5, await terminal.RunAsync("validate", folder ?? Folder));
        Assert.Matches(sentence, terminal.Error);
        Assert.DoesNotContain("Unexpected", terminal.Error, StringComparison.Ordinal);
    }

    protected static void Less(Dictionary<string, string> row, long by, params string[] columns)
    {
        foreach (var column in columns)
            row[column] = (long.Parse(row[column], CultureInfo.InvariantCulture) - by).ToString(CultureInfo.InvariantCulture);
    }

    protected static Dictionary<string, string> Judged(List<Dictionary<string, string>> rows) =>
        rows.Last(row => row["arm"] == "direct" && row["users"] == "500" && row["warmUp"] == "false");

    protected static void Times(Dictionary<string, string> row, double factor, params string[] columns)
    {
        foreach (var column in columns)
            row[column] = (double.Parse(row[column], CultureInfo.InvariantCulture) * factor).ToString("R", CultureInfo.InvariantCulture);
    }

    protected static void Swap(List<Dictionary<string, string>> rows, params string[] columns)
    {
        var measured = rows.Where(row => row["arm"] is "direct" or "pubsub" && row["warmUp"] == "false");
        foreach (var pair in measured.GroupBy(row => row["iteration"]).Select(pair => pair.ToArray()))
        {
            foreach (var column in columns)
                (pair[0][column], pair[1][column]) = (pair[1][column], pair[0][column]);
        }
    }

    /// <summary>Changes rows of iterations.csv, each with the columns of its only flow.</summary>
    protected void Rows(Action<List<Dictionary<string, string>>> change)
    {
        string[] files = [RecordFiles.Iterations(Folder), RecordFiles.Flows(Folder)];
        var tables = files.Select(File.ReadAllLines).ToArray();
        var rows = tables[0][1..].Zip(tables[1][1..], (row, flow) => Cells(tables[0][0], row).UnionBy(
            Cells(tables[1][0], flow), cell => cell.Column).ToDictionary(cell => cell.Column, cell => cell.Text)).ToList();
        change(rows);
        foreach (var (file, lines) in files.Zip(tables))
        {
            var columns = lines[0].Split(',');
            WriteLines(file, rows.Select(row => string.Join(',', columns.Select(column => row[column]))).Prepend(lines[0]));
        }

        static IEnumerable<(string Column, string Text)> Cells(string header, string line) => header.Split(',').Zip(line.Split(','));
    }

    protected void Events(Action<List<string>> change)
    {
        var lines = File.ReadAllLines(RecordFiles.Events(Folder)).ToList();
        change(lines);
        WriteLines(RecordFiles.Events(Folder), lines);
    }

    protected static void WriteLines(string path, IEnumerable<string> lines) =>
        File.WriteAllText(path, string.Concat(lines.Select(line => line + "\n")));

    protected void Log(Action<List<string>> change)
    {
        var lines = File.ReadAllLines(RecordFiles.Latency(Folder)).ToList();
        change(lines);
        WriteLines(RecordFiles.Latency(Folder), lines);
    }

    /// <summary>Distributions of the one become those of the other.</summary>
    protected void SwapTags(string one, string other) => Log(lines =>
    {
        for (var i = 0; i < lines.Count; i++)
        {
            lines[i] = lines[i].StartsWith($"Tag={one}", StringComparison.Ordinal) ? $"Tag={other}{lines[i][(4 + one.Length)..]}"
                : lines[i].StartsWith($"Tag={other}", StringComparison.Ordinal) ? $"Tag={one}{lines[i][(4 + other.Length)..]}"
                : lines[i];
        }
    });

    protected void Run(Action<JsonNode> change)
    {
        var run = JsonNode.Parse(File.ReadAllText(RecordFiles.Run(Folder)))!;
        change(run);
        File.WriteAllText(RecordFiles.Run(Folder), run.ToJsonString());
    }
}
