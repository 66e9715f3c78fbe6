using PubSubOverWs.Experiment.Analyses;
using PubSubOverWs.Experiment.Reports;

namespace PubSubOverWs.Experiment.Results;

/// <summary>Finds the records below a folder.</summary>
public static class RecordFolders
{
    // results/SCENARIO/RUN, and up to two further levels of folders.
    private static readonly EnumerationOptions Below = new() { RecurseSubdirectories = true, MaxRecursionDepth = 4 };

    /// <summary>
    /// Every folder with a file of a record in it, damaged ones too: newest first, by what the record says, or else by the folder's name.
    /// </summary>
    /// <param name="folder">Must be there.</param>
    /// <param name="last">How many, of the newest; null: all. Tests are corrected over those that are listed.</param>
    public static IReadOnlyList<RecordEntry> In(string folder, int? last = null) => TestFamily.Told(
    [
        .. new[] { RecordFiles.Run(""), RecordFiles.Iterations("") }
            .SelectMany(file => Directory.EnumerateFiles(folder, file, Below))
            .Select(file => Path.GetDirectoryName(file)!)
            .Distinct()
            .Select(Entry)
            .OrderByDescending(entry => entry.Started ?? DateTimeOffset.MinValue)
            .ThenBy(entry => entry.Folder, StringComparer.Ordinal)
            .Take(last ?? int.MaxValue),
    ]);

    /// <summary>The report below a folder that was made last; null: there is none.</summary>
    public static string? LatestReport(string folder) => Directory.EnumerateFiles(folder, "report.html", Below)
        .OrderBy(File.GetLastWriteTimeUtc).ThenBy(path => path, StringComparer.Ordinal).LastOrDefault();

    /// <summary>The records as a table of fixed width, and a line for each that cannot be read.</summary>
    public static string Table(IReadOnlyList<RecordEntry> entries)
    {
        RecordEntry[] damaged = [.. entries.Where(entry => entry.Damage is not null)];
        return TextTable.Write(Documents.Table.Of(
            entries,
            ("time (UTC)", entry => entry.Started?.UtcDateTime.ToString("yyyy-MM-dd HH:mm", CultureInfo.InvariantCulture) ?? "unknown"),
            ("scenario", entry => entry.Scenario),
            ("n", entry => entry.Size),
            ("loss %", entry => entry.Loss),
            ("p50 ms", entry => entry.P50),
            ("ratio", entry => entry.Ratio),
            ("verdict", entry => entry.Verdict),
            ("folder", entry => entry.Folder)))
            + string.Concat(damaged.Select(entry => $"DAMAGED: {entry.Folder}: {entry.Damage}\n"));
    }

    private static RecordEntry Entry(string folder)
    {
        try
        {
            var record = RecordReader.Read(folder);
            return RecordEntry.Of(folder, record) with { Tests = AnalysisList.All[record.Run.Scenario.Kind].Listed(record) };
        }
        catch (Exception error) when (error is RecordException or IOException or UnauthorizedAccessException)
        {
            return new RecordEntry(folder, TimeInName(Path.GetFileName(folder)))
            { Damage = error.Message.ReplaceLineEndings(" "), Verdict = "DAMAGED" };
        }
    }

    /// <summary>Runs name their folder after their start: <c>2026-11-22T03-19-06Z-burst</c>.</summary>
    private static DateTimeOffset? TimeInName(string name) =>
        name.Length >= 20 && DateTimeOffset.TryParseExact(
            name[..20], "yyyy-MM-dd'T'HH-mm-ss'Z'", CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out var time)
            ? time
            : null;
}

/// <summary>The tests in a list of runs, corrected for their number.</summary>
public static class TestFamily
{
    /// <summary>
    /// Each p after Holm's correction over those that were tested, with the word that it leaves; null: it was not tested.
    /// </summary>
    public static IReadOnlyList<(double P, string Word)?> Adjust(IReadOnlyList<ListedTest> tests) =>
        [.. Holm.Adjust([.. tests.Select(test => test.P)])
            .Zip(tests, (p, test) => p is { } adjusted ? (adjusted, test.WordAt(adjusted)) : ((double, string)?)null)];

    /// <summary>The same entries, those with tests with a sentence on each claim, corrected over all runs of which it is.</summary>
    public static IReadOnlyList<RecordEntry> Told(IReadOnlyList<RecordEntry> entries) =>
        entries.SelectMany(entry => entry.Tests).Select(test => test.Claim).Distinct().Aggregate(entries, Told);

    private static IReadOnlyList<RecordEntry> Told(IReadOnlyList<RecordEntry> entries, string claim)
    {
        var family = Adjust([.. entries.SelectMany(entry => Of(entry, claim))]);
        var tested = family.Count(row => row is not null);
        var next = 0;
        return [.. entries.Select(entry => Of(entry, claim).ToArray() is not { Length: > 0 } tests
            ? entry
            : entry with { Verdict = $"{claim}: {string.Join("; ", tests.Select(test => Words(test, family[next++], tested)))}" })];
    }

    private static IEnumerable<ListedTest> Of(RecordEntry entry, string claim) => entry.Tests.Where(test => test.Claim == claim);

    private static string Words(ListedTest test, (double P, string Word)? row, int tested) => row is { } one
        ? $"{one.Word} (p = {PText.Of(one.P)} by Holm over the {tested} that were tested)"
        : test.Untested;
}
