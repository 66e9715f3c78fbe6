using PubSubOverWs.Experiment.Analyses;
using PubSubOverWs.Experiment.Claims;
using PubSubOverWs.Experiment.Compare;
using PubSubOverWs.Experiment.Reports;
using PubSubOverWs.Experiment.Reports.Rows;
using PubSubOverWs.Experiment.Reports.Sections;

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
    public static IReadOnlyList<RecordEntry> In(string folder) => TestFamily.Told(
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
                Tests = AnalysisList.All[record.Run.Scenario.Kind].Listed(record),
                Run = ListedRun.Of(record),
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

/// <summary>One record in a list.</summary>
/// <param name="Folder">As it was found.</param>
/// <param name="Started">UTC; null: a damaged record whose name has no time.</param>
/// <param name="Line">A summary, or why it cannot be read.</param>
/// <param name="Damaged">It cannot be read.</param>
public sealed record RecordEntry(string Folder, DateTimeOffset? Started, string Line, bool Damaged)
{
    /// <summary>Its tests, shown with the same tests of the other records.</summary>
    public IReadOnlyList<ListedTest> Tests { get; init; } = [];

    /// <summary>The run; null: the record is damaged.</summary>
    public ListedRun? Run { get; init; }
}

/// <summary>A record in one line, for a list of them.</summary>
public static class RunLine
{
    /// <summary>
    /// Such as <c>paper (burst): complete, valid; direct, pubsub; n 30 in 5 blocks at 6 levels; Nothing was lost: direct 0 of ...</c>
    /// </summary>
    public static string Of(RunFolder folder)
    {
        var run = folder.Run;
        var label = run.Label is { } name ? $" ({name})" : "";
        var state = $"{(run.Complete ? "complete" : "INCOMPLETE")}, {(Validity.IsValid(folder) ? "valid" : "INVALID")}";
        return $"{run.Scenario.Name}{label}: {state}; {string.Join(", ", run.Scenario.Arms)}; {Size(folder)}; {Found(folder)}";
    }

    // Not a whole report: a list of many records must not take minutes.
    private static string Found(RunFolder folder) =>
        NoiseFloors.FoundBy(folder) is { } itself ? NoiseSection.Sentence(itself) : Findings.Loss(LossRow.All(folder));

    private static string Size(RunFolder folder)
    {
        var scenario = folder.Run.Scenario;
        var counts = from arm in scenario.Arms from users in scenario.Levels select (double)ArmLevel.Of(folder, arm.Name, users).Rows.Count;
        return $"n {Format.Span(counts, n => Format.Fixed(n, 0))} in {Format.Count(scenario.Blocks, "block")} at "
            + $"{Format.Count(scenario.Levels.Count, "level")}";
    }
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
        return [.. entries.Select(entry => !Of(entry, claim).Any()
            ? entry
            : entry with
                { Line = $"{entry.Line} {claim}: {string.Join("; ", Of(entry, claim).Select(_ => Words(family[next++], tested)))}." })];
    }

    private static IEnumerable<ListedTest> Of(RecordEntry entry, string claim) => entry.Tests.Where(test => test.Claim == claim);

    private static string Words((double P, string Word)? row, int tested) => row is { } one
        ? $"{one.Word} (p = {PText.Of(one.P)} by Holm over the {tested} that were tested)"
        : "not testable";
}
