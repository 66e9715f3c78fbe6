using System.Globalization;
using PubSubOverWs.Experiment.Claims;
using PubSubOverWs.Experiment.Formats;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.Experiment.Reports;

namespace PubSubOverWs.Experiment.Results;

/// <summary>Finds the records below a folder.</summary>
public static class RecordFolders
{
    // results/SCENARIO/RUN, and a folder or two more that somebody sorts them into.
    private static readonly EnumerationOptions Below = new() { RecurseSubdirectories = true, MaxRecursionDepth = 4 };

    /// <summary>
    /// Every folder with a file of a record in it, damaged ones too: newest first, by what the record says, or else by the folder's name.
    /// </summary>
    /// <param name="folder">Must be there.</param>
    public static IReadOnlyList<RecordEntry> In(string folder) => FaultFamily.Told(
    [
        .. new[] { RecordFiles.Run(""), RecordFiles.Iterations("") }
            .SelectMany(file => Directory.EnumerateFiles(folder, file, Below))
            .Select(file => Path.GetDirectoryName(file)!)
            .Distinct()
            .Select(Entry)
            .OrderByDescending(entry => entry.Started ?? DateTimeOffset.MinValue)
            .ThenBy(entry => entry.Folder, StringComparer.Ordinal),
    ]);

    private static RecordEntry Entry(string folder)
    {
        try
        {
            var record = RecordReader.Read(folder);
            return new RecordEntry(folder, record.Run.Started, RunLine.Of(record), Damaged: false)
            {
                PubSubLosesLess = [.. FaultBuilder.Of(record, Validity.IsValid(record))?.Levels.Select(level => level.PubSubLosesLess)
                    ?? []],
            };
        }
        catch (Exception error) when (error is RecordException or IOException or UnauthorizedAccessException)
        {
            return new RecordEntry(folder, TimeInName(Path.GetFileName(folder)), error.Message.ReplaceLineEndings(" "), Damaged: true);
        }
    }

    /// <summary>Runs name their folder after their start: <c>2026-11-22T03-19-06Z-burst</c>.</summary>
    private static DateTimeOffset? TimeInName(string name) =>
        name.Length >= 20 && DateTimeOffset.TryParseExact(
            name[..20], "yyyy-MM-dd'T'HH-mm-ss'Z'", CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out var time)
            ? time
            : null;
}
