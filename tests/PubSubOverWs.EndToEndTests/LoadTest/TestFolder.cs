using System.Globalization;
using System.Text.RegularExpressions;
using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.EndToEndTests.LoadTest;

/// <summary>A folder for one test, gone after it.</summary>
public sealed partial class TestFolder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("loadtest-").FullName;

    public string Record => System.IO.Path.Combine(Path, "record");

    /// <summary>The processes that events.csv says were started and that are still there.</summary>
    public IReadOnlyList<int> ProcessesLeft() =>
    [
        .. RecordReader.Read(Record).Events.Where(one => one.Kind == "started")
            .Select(one => int.Parse(ProcessId().Match(one.Detail).Groups[1].Value, CultureInfo.InvariantCulture))
            .Where(id => Directory.Exists(string.Create(CultureInfo.InvariantCulture, $"/proc/{id}"))),
    ];

    public void Dispose() => Directory.Delete(Path, recursive: true);

    [GeneratedRegex(@"^process (\d+) at ")]
    private static partial Regex ProcessId();
}
