using PubSubOverWs.Report.Documents;
using PubSubOverWs.Report.Standard;
using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Report.Results;

/// <summary>Finds the records below a folder.</summary>
public static class RecordFolders
{
    // results/SCENARIO/RUN, and up to two further levels of folders.
    private static readonly EnumerationOptions Below = new() { RecurseSubdirectories = true, MaxRecursionDepth = 4 };

    /// <summary>
    /// Every folder with a file of a record in it, damaged ones too: newest first, by what the record says, or else by the folder's name.
    /// </summary>
    /// <param name="folders">Must be there.</param>
    /// <param name="last">How many, of the newest; null: all. Tests are corrected over those that are listed.</param>
    public static IReadOnlyList<RecordEntry> In(IReadOnlyList<string> folders, int? last = null) => TestFamily.Told(
    [
        .. new[] { RecordFiles.Run(""), RecordFiles.Iterations("") }
            .SelectMany(file => folders.SelectMany(folder => Directory.EnumerateFiles(folder, file, Below)))
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

    /// <summary>
    /// The records as a table, and a line for each that cannot be read. A record has one line if all columns fit; otherwise its folder
    /// has a line of its own, and the columns are those for which there is room.
    /// </summary>
    /// <param name="width">Columns of the terminal.</param>
    public static string Table(IReadOnlyList<RecordEntry> entries, int width) =>
        (Whole(entries) is { } whole && whole.TrimEnd().Split('\n').Max(line => line.Length) <= width ? whole : Narrow(entries, width))
            + string.Concat(TestFamily.Notes(entries).Select(note => note + "\n"))
            + string.Concat(entries.Where(entry => entry.Damage is not null).Select(entry => $"DAMAGED: {entry.Folder}: {entry.Damage}\n"));

    private static string Whole(IReadOnlyList<RecordEntry> entries) => TextTable.Write(Documents.Table.From(
        entries,
        [("time (UTC)", TimeOf), .. Columns, ("folder", entry => entry.Folder)]));

    private static string Narrow(IReadOnlyList<RecordEntry> entries, int width)
    {
        var columns = Columns;
        foreach (var spared in new[] { "p50 ms", "ratio", "n", "loss %" })
        {
            if (TextTable.LeastWidth(Documents.Table.From(entries, columns)) > width)
                columns = [.. columns.Where(column => column.Name != spared)];
        }

        var rows = TextTable.Rows(Documents.Table.From(entries, columns), width);
        return string.Concat(rows[0].Concat(rows.Skip(1).Zip(entries).SelectMany(row => row.First.Append($"  {Place(row.Second)}")))
            .Select(line => line + "\n"));
    }

    private static (string Name, Func<RecordEntry, string> Cell)[] Columns =>
    [
        ("scenario", entry => entry.Scenario),
        ("n", entry => entry.Size),
        ("loss %", entry => entry.Loss),
        ("p50 ms", entry => entry.P50),
        ("ratio", entry => entry.Ratio),
        ("verdict", entry => entry.Brief),
    ];

    // A folder that the run named begins with the time.
    private static string Place(RecordEntry entry) => entry.Started is null || TimeInName(Path.GetFileName(entry.Folder)) is not null
        ? entry.Folder
        : $"{entry.Folder}   ({TimeOf(entry)} UTC)";

    private static string TimeOf(RecordEntry entry) =>
        entry.Started?.UtcDateTime.ToString("yyyy-MM-dd HH:mm", CultureInfo.InvariantCulture) ?? "unknown";

    private static RecordEntry Entry(string folder)
    {
        try
        {
            var record = RecordReader.Read(folder);
            return RecordEntry.From(folder, record) with { Tests = AnalysisList.For(record.Run.Scenario).Listed(record) };
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

/// <summary>The tests in a list of runs, corrected for their number: of other servers at other times, so they are independent.</summary>
public static class TestFamily
{
    /// <summary>
    /// Each p after Hochberg's correction over those that were tested, with the word that it leaves; null: it was not tested.
    /// </summary>
    public static IReadOnlyList<(double P, string Word)?> Adjust(IReadOnlyList<ListedTest> tests) =>
        [.. Hochberg.Adjust([.. tests.Select(test => test.P)])
            .Zip(tests, (p, test) => p is { } adjusted ? (adjusted, test.WordAt(adjusted)) : ((double, string)?)null)];

    /// <summary>What the p of each claim in the list are, a line each.</summary>
    public static IEnumerable<string> Notes(IReadOnlyList<RecordEntry> entries) =>
        from test in entries.SelectMany(entry => entry.Tests)
        where test.P is not null
        group test by test.Claim into family
        select $"p          of \"{family.Key}\", by Hochberg's correction over the {Format.Count(family.Count(), "record")} of this list "
            + "that could be tested";

    /// <summary>The same entries, those with tests with a sentence on each claim, corrected over all runs of which it is.</summary>
    public static IReadOnlyList<RecordEntry> Told(IReadOnlyList<RecordEntry> entries) =>
        entries.SelectMany(entry => entry.Tests).Select(test => test.Claim).Distinct().Aggregate(entries, Told);

    private static IReadOnlyList<RecordEntry> Told(IReadOnlyList<RecordEntry> entries, string claim)
    {
        var family = Adjust([.. entries.SelectMany(entry => From(entry, claim))]);
        var tested = family.Count(row => row is not null);
        var next = 0;
        return [.. entries.Select(entry => From(entry, claim).ToArray() is { Length: > 0 } tests
            ? Told(entry, claim, [.. tests.Select(test => (test, family[next++]))], tested)
            : entry)];
    }

    private static RecordEntry Told(RecordEntry entry, string claim, (ListedTest Test, (double P, string Word)? Row)[] tests, int tested)
    {
        var over = $" by Hochberg over the {tested} that were tested";
        return entry with { Verdict = $"{claim}: {Words(over)}", Brief = Words("") };

        string Words(string correction) => string.Join("; ", tests.Select(one => one.Row is { } row
            ? $"{row.Word} (p = {PText.Text(row.P)}{correction})"
            : one.Test.Untested));
    }

    private static IEnumerable<ListedTest> From(RecordEntry entry, string claim) => entry.Tests.Where(test => test.Claim == claim);
}
