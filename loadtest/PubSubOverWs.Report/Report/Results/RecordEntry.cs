using PubSubOverWs.Report.Claims;
using PubSubOverWs.Report.Compare;
using PubSubOverWs.Report.Documents;
using PubSubOverWs.Report.Standard;

namespace PubSubOverWs.Report.Results;

/// <summary>One record in a list. Cells are empty where it has no such value.</summary>
/// <param name="Folder">As it was found.</param>
/// <param name="Started">UTC; null: a damaged record whose name has no time.</param>
public sealed record RecordEntry(string Folder, DateTimeOffset? Started)
{
    /// <summary>Why it cannot be read; null: it can.</summary>
    public string? Damage { get; init; }

    /// <summary>With its label.</summary>
    public string Scenario { get; init; } = "";

    /// <summary>Measured iterations of each arm at each level.</summary>
    public string Size { get; init; } = "";

    /// <summary>Of each arm over all levels.</summary>
    public string Loss { get; init; } = "";

    /// <summary>Of each arm at the last level.</summary>
    public string P50 { get; init; } = "";

    /// <summary>Of mean latencies in the main contrast: the lowest and the highest of all levels.</summary>
    public string Ratio { get; init; } = "";

    /// <summary>One or a few words.</summary>
    public string Verdict { get; init; } = "";

    /// <summary>The same without what a note below the table says.</summary>
    public string Brief { get => field ?? Verdict; init; }

    /// <summary>The run, for programs; null: the record is damaged.</summary>
    public ListedRun? Run { get; init; }

    /// <summary>Its tests, shown with the same tests of the other records.</summary>
    public IReadOnlyList<ListedTest> Tests { get; init; } = [];

    public static RecordEntry From(string folder, RunFolder record)
    {
        var run = record.Run;
        var summary = RunSummary.From(record);
        string[] arms = [.. summary.Rows.Select(row => row.Arm).Distinct()];
        return new(folder, run.Started)
        {
            Scenario = run.Scenario.Name + (run.Label is { } label ? $" ({label})" : ""),
            Size = summary.Rows.Count == 0 ? "0" : Format.Span(summary.Rows.Select(row => (double)row.Iterations), n => Format.Fixed(n, 0)),
            Loss = Each(arm => RunSummary.ShareOf(summary.Rows.Where(row => row.Arm == arm)) * 100),
            P50 = Each(arm => summary.Rows.Last(row => row.Arm == arm).P50),
            Ratio = summary.Rows.Where(row => row.Arm == run.Scenario.Compared.Second && row.Ratio is not null)
                .Select(row => row.Ratio!.Value).ToArray() is { Length: > 0 } ratios ? Format.Span(ratios, Format.Short) : "",
            Verdict = VerdictOn(record, summary),
            Run = ListedRun.From(record),
        };

        // Many arms do not fit.
        string Each(Func<string, double?> value) =>
            arms.Length > 3 ? "" : string.Join(" / ", arms.Select(arm => Format.Short(value(arm))));
    }

    private static string VerdictOn(RunFolder record, RunSummary summary)
    {
        if (!Validity.IsValid(record))
            return "INVALID";
        if (!record.Run.Complete)
            return "not complete";
        if (NoiseFloors.FoundBy(record) is { } itself)
            return itself.Passes ? "A/A passes" : "A/A FAILS";
        var claims = AnalysisList.Judge(record);
        return claims.Count > 0
            ? string.Join(", ", claims.GroupBy(claim => claim.Together.Word).Select(alike => $"{alike.Count()} {alike.Key}"))
            : summary.IsJudged ? "valid" : Claims.Verdict.TooSmall;
    }
}

/// <summary>The list of runs for programs.</summary>
public static class ResultsJson
{
    internal static JsonSerializerOptions Options => JsonText.Options;

    /// <returns>The text with a line end.</returns>
    public static string Write(IReadOnlyList<RecordEntry> entries) =>
        JsonSerializer.Serialize(ResultsDocument.From(entries), Options) + "\n";
}

/// <summary>All records in a folder, newest first.</summary>
/// <param name="Results">The version of the format.</param>
internal sealed record ResultsDocument(int Results, IReadOnlyList<ListedRecord> Records)
{
    private const int Version = 1;

    public static ResultsDocument From(IReadOnlyList<RecordEntry> entries) =>
        new(Version, [.. entries.Select(entry => new ListedRecord(entry.Folder, entry.Started, entry.Damage, entry.Verdict, entry.Run))]);
}

/// <param name="Folder">As it was found.</param>
/// <param name="Started">UTC; null: a damaged record whose name has no time.</param>
/// <param name="Damage">Why it cannot be read; null: it can.</param>
/// <param name="Verdict">One or a few words; empty: it is damaged.</param>
/// <param name="Run">Null: it is damaged.</param>
internal sealed record ListedRecord(string Folder, DateTimeOffset? Started, string? Damage, string Verdict, ListedRun? Run);

/// <summary>What a list has of a run; everything else is in its report.json.</summary>
/// <param name="Label">Null: the run has none.</param>
/// <param name="Iterations">Planned for each arm and level.</param>
/// <param name="Commit">Null: not known.</param>
public sealed record ListedRun(
    string Experiment, string Scenario, string? Label, bool Complete, bool Valid, IReadOnlyList<string> Arms, int Iterations, int Blocks,
    int Levels, string? Commit)
{
    public static ListedRun From(RunFolder folder) => new(
        folder.Run.Scenario.Kind.Name, folder.Run.Scenario.Name, folder.Run.Label, folder.Run.Complete, Validity.IsValid(folder),
        [.. folder.Run.Scenario.Arms.Select(arm => arm.Name)], folder.Run.Scenario.Iterations, folder.Run.Scenario.Blocks,
        folder.Run.Scenario.Levels.Count, folder.Run.Machine.Commit);
}
