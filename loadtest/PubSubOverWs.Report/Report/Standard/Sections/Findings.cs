using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Report.Documents;
using PubSubOverWs.Report.Standard.Rows;

namespace PubSubOverWs.Report.Standard.Sections;

/// <summary>The first sentences of every report: warnings, and lost messages.</summary>
internal static class Findings
{
    /// <summary>Defects of the run; none for most.</summary>
    public static IEnumerable<string> Warnings(RunFacts facts)
    {
        var broken = facts.Validity.Where(check => check.Holds == false).ToArray();
        if (broken.Length > 0)
            yield return $"THIS RUN IS INVALID, and nothing may be concluded from it: "
                + $"{string.Join("; ", broken.Select(check => $"{check.Name} ({check.Detail})"))}.";
        if (!facts.Progress.Complete)
            yield return $"This run is INCOMPLETE: {facts.Progress.Recorded} of {facts.Progress.Planned} rows and "
                + $"{facts.Progress.BlocksWhole} of {facts.Progress.BlocksPlanned} blocks were recorded, and only they are shown.";
        foreach (var check in facts.Validity.Where(check => check.IsWarning))
            yield return $"Arms may not have been steady: {check.Name}: {check.Detail}.";
        if (facts.SetUp.Client == ClientKind.Browser)
            yield return $"All users were connections of one page in {CheckSection.Browser(facts.SetUp)}: latencies have what the page "
                + "takes in them, and the load's CPU time is mostly the browser's.";
        foreach (var caution in facts.Scenario.Describe(isPinned: facts.SetUp.Pinned.Count > 0).Cautions)
            yield return caution;
    }

    /// <summary>How many messages were lost, by arm.</summary>
    public static string Loss(IReadOnlyList<LossRow> losses)
    {
        if (losses.Count == 0)
            return "Nothing was measured.";
        var arms = losses.GroupBy(row => row.Arm)
            .Select(arm => (Name: arm.Key, Sum: arm.Aggregate(new Buckets { Attempts = 0 }, (sum, row) => sum.Add(row.Buckets)))).ToArray();
        var counts = string.Join(", ", arms.Select(arm => arm.Sum.Lost == 0
            ? $"{arm.Name} 0 of {arm.Sum.Attempts}"
            : $"{arm.Name} {arm.Sum.Lost} of {arm.Sum.Attempts} ({Format.Percent(arm.Sum.EndToEndLoss, 3)}; "
                + $"{LossSection.Causes(arm.Sum.Causes)})"));
        return arms.All(arm => arm.Sum.Lost == 0) ? $"Nothing was lost: {counts} messages." : $"Messages lost: {counts}.";
    }
}
