using PubSubOverWs.Report.Documents;
using PubSubOverWs.Report.Metrics;
using PubSubOverWs.Report.Standard.Rows;

namespace PubSubOverWs.Report.Standard.Sections;

/// <summary>Which rates each arm holds, of those that were offered.</summary>
internal static class KneeSection
{
    public static IEnumerable<Block> Of(RunFolder folder, IReadOnlyList<KneeRow> knees, KneeRule rule)
    {
        yield return new Heading(2, "Knee: the rates that an arm holds");
        yield return new Paragraph(
            "A rate is held if nothing is lost, at least "
                + $"{Format.Percent(KneeRule.LeastAchieved, 0)} of it is achieved, and the latency stays within the limit: "
                + string.Join("; ", rule.Limits.Select(limit => limit.About.Length == 0 ? $"{limit}" : $"{limit} ({limit.About})"))
                + ". The knee lies between the highest rate that an arm holds with all lower ones and the lowest that it does not hold, of "
                + $"the rates that were decided before the run: {Rates(folder)}. It is not reached where every rate is held, or where the "
                + "core of the load itself is the limit.");
        yield return Table.Of(
            knees,
            [
                .. knees.Any(knee => knee.Beside.Length > 0)
                    ? new (string, Func<KneeRow, string>)[] { ("level", knee => knee.Beside) }
                    : [],
                ("arm", knee => knee.Arm),
                ("limit", knee => knee.Limit),
                ("block", knee => knee.Block is { } block ? Format.Whole(block) : "every"),
                ("holds", knee => Number(knee.Holds)),
                ("does not hold", knee => Number(knee.Fails)),
                ("knee", knee => knee.IsReached ? "reached" : "not reached"),
                ("because", knee => knee.Because),
            ]);
    }

    /// <summary>The knee of each arm over all blocks, a sentence each.</summary>
    public static IEnumerable<string> Sentences(IReadOnlyList<KneeRow> knees) =>
        from knee in knees
        where knee.Block is null || !knees.Any(one => one.Block is null)
        select $"{knee.Arm}{(knee.Beside.Length == 0 ? "" : $" with {knee.Beside}")}, {knee.Limit}: "
            + (knee.Holds is { } holds ? $"holds {Format.Whole(holds)} {knee.Unit}" : "holds none of the rates")
            + (knee.Fails is not { } fails ? ", the highest rate that was offered."
                : $", and not {Format.Whole(fails)} ({knee.Because}).");

    private static string Number(int? rate) => rate is { } known ? Format.Whole(known) : Format.None;

    private static string Rates(RunFolder folder) => string.Join(", ",
        folder.Run.Scenario.Levels.Select(level => level.Rate).OfType<int>().Distinct().Order().Select(rate => Format.Whole(rate)));
}
