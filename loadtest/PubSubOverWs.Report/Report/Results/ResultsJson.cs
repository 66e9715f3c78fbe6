using PubSubOverWs.Report.Claims;
using PubSubOverWs.Report.Documents;

namespace PubSubOverWs.Report.Results;

/// <summary>The list of runs for programs.</summary>
public static class ResultsJson
{
    internal static JsonSerializerOptions Options => JsonText.Options;

    /// <returns>The text with a line end.</returns>
    public static string Write(IReadOnlyList<RecordEntry> entries) => JsonSerializer.Serialize(ResultsDocument.Of(entries), Options) + "\n";
}

/// <summary>All records in a folder, newest first.</summary>
/// <param name="Results">The version of the format.</param>
internal sealed record ResultsDocument(int Results, IReadOnlyList<ListedRecord> Records)
{
    private const int Version = 1;

    public static ResultsDocument Of(IReadOnlyList<RecordEntry> entries) =>
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
    public static ListedRun Of(RunFolder folder) => new(
        folder.Run.Scenario.Kind.Name, folder.Run.Scenario.Name, folder.Run.Label, folder.Run.Complete, Validity.IsValid(folder),
        [.. folder.Run.Scenario.Arms.Select(arm => arm.Name)], folder.Run.Scenario.Iterations, folder.Run.Scenario.Blocks,
        folder.Run.Scenario.Levels.Count, folder.Run.Machine.Commit);
}
