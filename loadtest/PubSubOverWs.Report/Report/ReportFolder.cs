using System.Text.RegularExpressions;
using PubSubOverWs.Report.Claims;
using PubSubOverWs.Report.Standard;

namespace PubSubOverWs.Report;

/// <summary>
/// Makes a report from a record folder. It reads run.json, the CSV files and latency.hlog, never samples.csv.gz, the clock
/// or the machine, so that the same folder gives the same bytes anywhere.
/// </summary>
public static partial class ReportFolder
{
    private const string New = ".new";

    // A page with a mark for each of 10,000 iterations has some 10 MB.
    private const int MaxBytes = 256 << 20;

    public static ReportFiles Make(RunFolder folder) => AnalysisList.For(folder.Run.Scenario).ReportOf(folder);

    /// <summary>Makes the report and writes report.md, report.json, report.html and report.csv into the folder.</summary>
    /// <returns>The written files.</returns>
    /// <exception cref="RecordException">They cannot be written; the old ones stay.</exception>
    public static ReportFiles Write(string folder, RunFolder record)
    {
        var files = Make(record);
        var texts = files.Named.Select(one => (Path: Path.Combine(folder, one.Name), one.Text)).ToArray();
        if (Array.Find(texts, one => Directory.Exists(one.Path)) is { Path: { } taken })
            throw new RecordException(
                $"{Path.GetFileName(taken)} is a folder where the report must have a file: remove it and make the report again.");
        Replace(texts);
        return files;
    }

    /// <summary>Makes the report again in memory, and compares it with the files of it that are in the folder.</summary>
    /// <exception cref="RecordException">One cannot be read.</exception>
    public static ReportComparison Compare(string folder, RunFolder record)
    {
        var files = Make(record);
        (string Name, string There, string Made)[] pairs =
        [
            .. from one in files.Named
               let path = Path.Combine(folder, one.Name)
               where Path.Exists(path)
               select (one.Name, RecordFiles.Text(path, MaxBytes), one.Text),
        ];
        var json = Array.Find(pairs, pair => pair.Name == "report.json");
        return new ReportComparison(
            pairs.Length, [.. pairs.Where(pair => pair.There != pair.Made).Select(pair => pair.Name)],
            json.There is null ? null : Version(json.There), Version(files.Json)!);
    }

    private static string? Version(string json) => VersionLine().Match(json) is { Success: true } match ? match.Groups[1].Value : null;

    // All of them or none, so that no folder has parts of two reports: everything that can fail precedes the first rename.
    private static void Replace(IReadOnlyList<(string Path, string Text)> texts)
    {
        var written = new List<string>();
        try
        {
            foreach (var (path, text) in texts)
            {
                // A file that may not be written may yet be renamed over: its owner does not want either.
                if (File.Exists(path))
                    File.OpenWrite(path).Dispose();
                File.WriteAllText(path + New, text, RecordFiles.Utf8);
                written.Add(path);
            }
            foreach (var path in written)
                File.Move(path + New, path, overwrite: true);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new RecordException(
                $"The report cannot be written ({error.Message.TrimEnd('.')}), and the old one stays: check the permissions and the "
                    + "free space of its folder.", error);
        }
        finally
        {
            written.ForEach(path => File.Delete(path + New));
        }
    }

    [GeneratedRegex("^\\{\\s*\"report\": ([0-9]+),")]
    private static partial Regex VersionLine();
}

/// <summary>The report in a folder beside what its record gives.</summary>
/// <param name="There">How many files of it are there.</param>
/// <param name="Other">Those that differ, by name.</param>
/// <param name="Version">Of the report.json that is there; null: there is none, or it says none.</param>
/// <param name="Current">The version that this program writes for the experiment.</param>
public sealed record ReportComparison(int There, IReadOnlyList<string> Other, string? Version, string Current);

public static class AnalysisList
{
    private static IReadOnlyDictionary<ScenarioKind, Analysis> _all = new Dictionary<ScenarioKind, Analysis>();

    /// <summary>Sets the analyses, once and before any report is made.</summary>
    /// <param name="analyses">One for each experiment of <see cref="ScenarioKinds.All"/>.</param>
    public static void Set(IReadOnlyDictionary<ScenarioKind, Analysis> analyses) => _all = analyses;

    public static Analysis For(Scenario scenario) => _all[scenario.Kind];

    /// <summary>The verdicts on the claims of the record's experiment; empty if it has none.</summary>
    public static IReadOnlyList<ClaimResult> Judge(RunFolder folder) =>
        new ClaimEvidence(folder).Judge(For(folder.Run.Scenario).Claims);

    /// <summary>All verdicts of a record: on its experiment's hypotheses, and on its claims.</summary>
    public static IEnumerable<ReportVerdict> Verdicts(RunFolder folder) =>
        [.. ReportFolder.Make(folder).Verdicts,
            .. Judge(folder).Select(one => new ReportVerdict(one.Claim.Id, one.Together.Word, one.Sentence))];
}
