using PubSubOverWs.Report.Claims;
using PubSubOverWs.Report.Standard;

namespace PubSubOverWs.Report;

/// <summary>The analysis of each experiment.</summary>
public static class AnalysisList
{
    private static IReadOnlyDictionary<ScenarioKind, Analysis> _all = new Dictionary<ScenarioKind, Analysis>();

    /// <summary>Sets the analyses, once and before any report is made.</summary>
    /// <param name="analyses">One for each experiment of <see cref="ScenarioKinds.All"/>.</param>
    public static void Set(IReadOnlyDictionary<ScenarioKind, Analysis> analyses) => _all = analyses;

    /// <summary>The analysis of a scenario's experiment.</summary>
    public static Analysis For(Scenario scenario) => _all[scenario.Kind];

    /// <summary>The verdicts on the claims of the record's experiment; empty if it has none.</summary>
    public static IReadOnlyList<ClaimResult> Judge(RunFolder folder) =>
        new ClaimEvidence(folder).Judge(For(folder.Run.Scenario).Claims);

    /// <summary>All verdicts of a record: on its experiment's hypotheses, and on its claims.</summary>
    public static IEnumerable<ReportVerdict> Verdicts(RunFolder folder) =>
        [.. ReportFolder.Make(folder).Verdicts,
            .. Judge(folder).Select(one => new ReportVerdict(one.Claim.Id, one.Together.Word, one.Sentence))];
}
