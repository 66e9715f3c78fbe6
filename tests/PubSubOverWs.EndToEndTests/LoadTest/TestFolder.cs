using System.Globalization;
using System.Text.RegularExpressions;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Report.Claims;

namespace PubSubOverWs.EndToEndTests.LoadTest;

/// <summary>A folder for one test, gone after it.</summary>
public sealed partial class TestFolder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("loadtest-").FullName;

    public string Record => System.IO.Path.Combine(Path, "record");

    /// <summary>The processes that events.csv says were started and that are still there.</summary>
    public IReadOnlyList<int> ProcessesLeft() =>
        [.. Started().Select(IdIn).Where(id => Directory.Exists(string.Create(CultureInfo.InvariantCulture, $"/proc/{id}")))];

    /// <summary>The process of that name that was started last.</summary>
    public int ProcessOf(string name) => IdIn(Started().Last(one => one.Target == name));

    /// <summary>
    /// The record of a run that ended as it had to: with 0, or with 2 where a check of it does not hold, such as the load's core being
    /// busy, which is the machine's affair.
    /// </summary>
    public RunFolder RecordOf(ProgramResult run)
    {
        var record = RecordReader.Read(Record);
        Assert.True(run.ExitCode == (Validity.IsValid(record) ? 0 : 2), run.Output + run.Error);
        return record;
    }

    /// <summary>Fails, with what the program said, if the record's files do not fit together.</summary>
    public async Task ValidateAsync()
    {
        var checks = await LoadTestProcess.RunAsync(Path, "validate", Record);
        Assert.True(checks.ExitCode == 0, checks.Error);
    }

    public void Dispose() => Directory.Delete(Path, recursive: true);

    private IEnumerable<EventRow> Started() => RecordReader.Read(Record).Events.Where(one => one.Kind == "started");

    private static int IdIn(EventRow started) => int.Parse(ProcessId().Match(started.Detail).Groups[1].Value, CultureInfo.InvariantCulture);

    [GeneratedRegex(@"^process (\d+) at ")]
    private static partial Regex ProcessId();
}
