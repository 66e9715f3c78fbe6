using System.Text.RegularExpressions;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Report.Documents;
using PubSubOverWs.Report.Standard.Rows;

namespace PubSubOverWs.Report.Standard.Sections;

/// <summary>Links the first use of each term in a report to a list of terms at its end. docs/reference/glossary.md has them, too.</summary>
internal static class TermSection
{
    private const string Id = "terms";

    /// <summary>Each as docs/reference/glossary.md calls it, and how sentences may write it. Where two fit, the first one counts.</summary>
    public static IReadOnlyList<(string Name, string Pattern, string Definition)> Terms { get; } =
    [
        ("noise floor", "noise floor", "the largest difference in the A/A runs of a set-up; no smaller effect is called reproduced"),
        ("A/A run", "A/A runs?", "a run with two instances of one server as arms, in which any difference is noise"),
        ("guarantee loss", "[Gg]uarantee loss", "the share of acknowledged messages that were lost"),
        ("restricted mean", "[Rr]estricted mean", "the mean latency with each lost message counted at the deadline"),
        ("intra-class correlation", "[Ii]ntra-class correlation", "the resemblance of the iterations of one block"),
        ("fault action", "fault actions?", "one action at one moment of an iteration, such as a kill"),
        ("arm", "[Aa]rms?", "one of the compared systems"),
        ("level", "[Ll]evels?", "one setting of every factor, such as 1,000 users"),
        ("iteration", "[Ii]terations?|n(?= counts)", "all arms once at one level; n counts iterations, never messages"),
        ("block", "[Bb]locks?", "iterations that share processes; servers and queue are started afresh for each block"),
        ("floor", "floor of the set-up", "the latency of a null echo: client, network stack and scheduler, without a relay"),
        ("acknowledged", "acknowledged", "confirmed by a receipt of the broker"),
        ("equivalent", "[Ee]quivalence|alike", "different by less than a margin, as the 90 % interval shows"),
        ("power", "power", "how often a test detects an effect of a given size"),
        ("Holm", "Holm's correction", "a correction of p for the number of rows of a table"),
        ("R", "R", "the ratio of the means of two arms, the second over the first"),
        ("shed", "shed", "refused because there was no room"),
        ("exploratory", "[Ee]xploratory", "shown and not judged"),
    ];

    private static readonly Regex Any = new(
        $@"(?<![\w/'])(?:{string.Join('|', Terms.Select((term, i) => $"(?<t{i}>{term.Pattern})"))})(?!\w)", RegexOptions.CultureInvariant);

    /// <summary>The report with links and the definitions of the terms that it uses. Tables and verbatim lists are unchanged.</summary>
    public static IEnumerable<Block> Linked(IEnumerable<Block> blocks)
    {
        var used = new HashSet<int>();
        Block[] linked = [.. blocks.Select(block => block switch
        {
            Paragraph one => one with { Text = Link(one.Text, used) },
            BulletList { IsVerbatim: false } list => new BulletList([.. list.Items.Select(item => Link(item, used))]),
            _ => block,
        })];
        return used.Count == 0 ? linked :
        [
            .. linked,
            new Heading(2, "Terms", Id),
            new BulletList(used.Order().Select(i => $"**{Terms[i].Name}**: {Terms[i].Definition}")),
        ];
    }

    private static string Link(string text, HashSet<int> used) => Any.Replace(text, match =>
        used.Add(Enumerable.Range(0, Terms.Count).First(i => match.Groups[$"t{i}"].Success)) ? $"[{match.Value}](#{Id})" : match.Value);
}

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
