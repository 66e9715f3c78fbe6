using System.Globalization;
using System.Text.Json.Nodes;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Tests.Record;

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

    protected async Task AssertRefusedAsync(string sentence)
    {
        var terminal = new TestTerminal();

        Assert.Equal(5, await terminal.RunAsync("validate", Folder));
        Assert.Matches(sentence, terminal.Error);
        Assert.DoesNotContain("Unexpected", terminal.Error, StringComparison.Ordinal);
    }

    protected static void Less(Dictionary<string, string> row, long by, params string[] columns)
    {
        foreach (var column in columns)
            row[column] = (long.Parse(row[column], CultureInfo.InvariantCulture) - by).ToString(CultureInfo.InvariantCulture);
    }

    protected string Log(string arm) => RecordFiles.LatencyLog(Folder, arm, Some.Level(500));

    protected static Dictionary<string, string> Judged(List<Dictionary<string, string>> rows) =>
        rows.Last(row => row["arm"] == "direct" && row["users"] == "500" && row["warmUp"] == "false");

    protected static void Times(Dictionary<string, string> row, double factor, params string[] columns)
    {
        foreach (var column in columns)
            row[column] = (double.Parse(row[column], CultureInfo.InvariantCulture) * factor).ToString("R", CultureInfo.InvariantCulture);
    }

    protected static void Swap(List<Dictionary<string, string>> rows, params string[] columns)
    {
        foreach (var pair in rows.Where(row => row["arm"] is "direct" or "pubsub").GroupBy(row => row["iteration"])
            .Select(pair => pair.ToArray()))
        {
            foreach (var column in columns)
                (pair[0][column], pair[1][column]) = (pair[1][column], pair[0][column]);
        }
    }

    protected void Rows(Action<List<Dictionary<string, string>>> change)
    {
        var lines = File.ReadAllLines(RecordFiles.Iterations(Folder));
        var columns = lines[0].Split(',');
        List<Dictionary<string, string>> rows = [.. lines[1..].Select(line =>
            columns.Zip(line.Split(',')).ToDictionary(cell => cell.First, cell => cell.Second))];
        change(rows);
        File.WriteAllText(
            RecordFiles.Iterations(Folder),
            string.Concat(
                rows.Select(row => string.Join(',', columns.Select(column => row[column]))).Prepend(lines[0]).Select(line => line + "\n")));
    }

    protected void Events(Action<List<string>> change)
    {
        var lines = File.ReadAllLines(RecordFiles.Events(Folder)).ToList();
        change(lines);
        File.WriteAllText(RecordFiles.Events(Folder), string.Concat(lines.Select(line => line + "\n")));
    }

    protected void Run(Action<JsonNode> change)
    {
        var run = JsonNode.Parse(File.ReadAllText(RecordFiles.Run(Folder)))!;
        change(run);
        File.WriteAllText(RecordFiles.Run(Folder), run.ToJsonString());
    }
}
