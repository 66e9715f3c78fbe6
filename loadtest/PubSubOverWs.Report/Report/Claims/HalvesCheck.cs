using PubSubOverWs.Report.Metrics;
using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Report.Claims;

/// <summary>
/// Which arms still changed while they were measured: the first against the second half of each block's iterations, in mean latency, at
/// each level. Never broken: it says which figures to read with care.
/// </summary>
public static class HalvesCheck
{
    public const string Name = "arms steady while they were measured";

    /// <summary>Marks the value of an arm that was not, in tables.</summary>
    public const string Mark = " †";

    /// <summary>Every arm at every level that is large enough for a verdict.</summary>
    public static IReadOnlyList<Halves> Compute(RunFolder folder)
    {
        (string Arm, Level Level, HalvesTest Found)[] cells =
        [
            .. from arm in folder.Run.Scenario.ShownArms
               from level in folder.Run.Scenario.Levels
               let blocks = MetricReadings.Read(folder, arm, level, MessageMetrics.Latency).GroupBy(reading => reading.Block)
                   .Select(block => block.Select(reading => reading.Value).ToArray()).ToArray()
               where blocks.Length >= Comparison.LeastBlocks && blocks.Sum(block => block.Length) >= Decision.LeastCount
               let found = HalvesTest.Compute(blocks)
               where found?.Test is not null
               select (arm, level, found),
        ];
        return [.. cells.Zip(Holm.Adjust([.. cells.Select(cell => cell.Found.Test!.P as double?)]), (cell, p) =>
            new Halves(cell.Arm, cell.Level, cell.Found.First, cell.Found.Second, p!.Value))];
    }

    public static ValidityCheck Check(RunFolder folder)
    {
        var cells = Compute(folder);
        var changing = cells.Where(cell => cell.Differ).ToArray();
        return cells.Count == 0 ? new(Name, null, "too few iterations to tell")
            : changing.Length == 0 ? new(Name, true, Invariant($"in none of {cells.Count} cells do the halves of the blocks differ"))
            : new(Name, null, $"NOT STEADY: {string.Join(", ", changing.Select(Text))}") { IsWarning = true };
    }

    private static string Text(Halves cell) =>
        Invariant($"{cell.Arm} at {cell.Level.Key} had {cell.First:0.###} ms in the first half of each block's iterations and ")
            + Invariant($"{cell.Second:0.###} in the second (p = {cell.HolmP:0.0000} after Holm)");
}

/// <summary>The mean latency of an arm at a level, in ms, in both halves of its blocks.</summary>
/// <param name="HolmP">Of their difference, corrected over all cells of the run.</param>
public sealed record Halves(string Arm, Level Level, double First, double Second, double HolmP)
{
    [JsonIgnore]
    public bool Differ => HolmP < Decision.Alpha;
}

/// <summary>
/// Which arms were still changing when measuring began, where the scenario asks. Never broken: a run that asks must not be worth less than
/// one that does not.
/// </summary>
public static class SteadyCheck
{
    public const string Name = "arms steady when measuring began";

    /// <param name="measured">Its rows that count, without the floor.</param>
    public static ValidityCheck Check(RunFolder folder, IterationRow[] measured)
    {
        var begun = measured.Select(row => (row.Arm, row.Level, row.Block)).ToHashSet();
        var warmedUp = folder.Rows.Where(row => row is { WarmUp: true, Superseded: false })
            .GroupBy(row => (row.Arm, row.Level, row.Block)).Where(warmUps => begun.Contains(warmUps.Key))
            .Select(warmUps => (
                warmUps.Key.Arm, Where: Invariant($"{warmUps.Key.Arm} at {warmUps.Key.Level.Key} in block {warmUps.Key.Block}"),
                Count: warmUps.Count(), Seconds: warmUps.Sum(row => (row.Connect + row.Burst + row.Drain).TotalSeconds),
                IsSteady: WarmUpRule.IsSteady([.. warmUps])))
            .ToArray();
        var took = string.Join(", ", folder.Run.Scenario.ShownArms
            .Select(name => warmedUp.Where(one => one.Arm == name).ToArray()).Where(arm => arm.Length > 0)
            .Select(arm => Invariant($"{arm[0].Arm} had {Range(arm.Min(one => one.Count), arm.Max(one => one.Count), "0")} warm-ups ")
                + Invariant($"({Range(arm.Min(one => one.Seconds), arm.Max(one => one.Seconds), "0.0")} s)")));
        var changing = string.Join(", ", warmedUp.Where(one => one.IsSteady == false)
            .Select(one => Invariant($"{one.Where} after {one.Count} ({one.Seconds:0.0} s)")));
        var unknown = string.Join(", ", warmedUp.Where(one => one.IsSteady is null).Select(one => one.Where));
        string[] found =
        [
            took.Length > 0 ? took : "no arm was measured",
            .. changing.Length > 0 ? [$"NOT STEADY: {changing}"] : Array.Empty<string>(),
            .. unknown.Length > 0 ? [$"not known, without the CPU time of the server: {unknown}"] : Array.Empty<string>(),
        ];
        return new(Name, found.Length > 1 ? null : true, string.Join("; ", found)) { IsWarning = found.Length > 1 };

        static string Range(double least, double most, string format)
        {
            var from = least.ToString(format, CultureInfo.InvariantCulture);
            var to = most.ToString(format, CultureInfo.InvariantCulture);
            return from == to ? from : $"{from} to {to}";
        }
    }
}
