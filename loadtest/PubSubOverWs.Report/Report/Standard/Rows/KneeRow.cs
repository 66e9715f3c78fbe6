using PubSubOverWs.Report.Claims;
using PubSubOverWs.Report.Documents;
using PubSubOverWs.Report.Metrics;

namespace PubSubOverWs.Report.Standard.Rows;

/// <summary>The knee of an arm as a bracket: between two rates of the grid, in one block or in every block.</summary>
/// <param name="Block">Null: in every block of the run, which has several.</param>
/// <param name="Limit">Of the p99 latency.</param>
/// <param name="Unit">Of the rates.</param>
/// <param name="Holds">The highest rate that it holds with all lower ones; null: not even the lowest.</param>
/// <param name="Fails">The lowest rate that it does not hold; null: it holds every rate that was offered.</param>
/// <param name="IsLimitedByLoad">True: at that rate the load's own core was the limit, so the knee was not reached.</param>
/// <param name="Because">Why it does not hold that rate; empty: it does.</param>
public sealed record KneeRow(
    string Arm, int? Block, string Limit, string Unit, int? Holds, int? Fails, bool IsLimitedByLoad, string Because)
{
    /// <summary>The other factors of the levels; empty: there are none.</summary>
    public string Beside => string.Join(", ", Others);

    /// <summary>False: every rate that was offered is held, or the load is what limits.</summary>
    public bool IsReached => Fails is not null && !IsLimitedByLoad;

    internal IReadOnlyList<Setting> Others { get; init; } = [];

    /// <summary>Each shown arm by every limit of a rule: in every block first, then block by block.</summary>
    public static IReadOnlyList<KneeRow> All(RunFolder folder, KneeRule rule)
    {
        var rows = folder.Rows.Where(row => row.Counts && row.Level.Rate is not null).ToLookup(row => row.Arm);
        return
        [
            .. from arm in folder.Run.Scenario.ShownArms
               from beside in rows[arm].GroupBy(row => string.Join(", ", OthersOf(row.Level)))
               from limit in rule.Limits
               from block in Blocks(beside)
               select From(folder, rule, limit, block, [.. beside.Where(row => block is null || row.Block == block)]),
        ];
    }

    internal string NumberOf(Factor factor) =>
        string.Concat(Others.Where(setting => setting.Factor == factor).Select(setting => Format.Whole(setting.Number)));

    private static IEnumerable<int?> Blocks(IEnumerable<IterationRow> rows)
    {
        int?[] blocks = [.. rows.Select(row => (int?)row.Block).Distinct().Order()];
        return blocks.Length == 1 ? blocks : blocks.Prepend(null);
    }

    private static KneeRow From(RunFolder folder, KneeRule rule, KneeLimit limit, int? block, IterationRow[] rows)
    {
        int? holds = null;
        var knee = new KneeRow(rows[0].Arm, block, limit.ToString(), UnitOf(rows[0].Level), null, null, false, "")
        { Others = OthersOf(rows[0].Level) };
        foreach (var rate in rows.GroupBy(row => row.Level.Rate!.Value).OrderBy(rate => rate.Key))
        {
            if (rate.FirstOrDefault(row => !rule.Holds(row, limit)) is { } failed)
                return WithFailure(knee with { Holds = holds, Fails = rate.Key }, rule.WhyNot(failed, limit)!,
                    Validity.LoadCoreShare(folder.Run, failed));
            holds = rate.Key;
        }

        return knee with { Holds = holds };
    }

    private static KneeRow WithFailure(KneeRow knee, string why, double? busy) => busy >= Validity.LargestCoreShare
        ? knee with { IsLimitedByLoad = true, Because = $"{why}; the load's own core was {Format.Percent(busy, 0)} busy" }
        : knee with { Because = why };

    private static IReadOnlyList<Setting> OthersOf(Level level) => [.. level.Settings.Where(setting => !setting.Factor.IsRate)];

    private static string UnitOf(Level level) => level.Settings.First(setting => setting.Factor.IsRate).Factor.Words;
}
