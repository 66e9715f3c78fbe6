namespace PubSubOverWs.Report.Claims;

/// <summary>
/// Which arms were still changing when measuring began, where the scenario asks. Never broken: a run that asks must not be worth less than
/// one that does not.
/// </summary>
public static class SteadyCheck
{
    /// <summary>Of the check.</summary>
    public const string Name = "arms steady when measuring began";

    /// <param name="folder">The record.</param>
    /// <param name="measured">Its rows that count, without the floor.</param>
    public static ValidityCheck Of(RunFolder folder, IterationRow[] measured)
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
            var (from, to) = (least.ToString(format, CultureInfo.InvariantCulture), most.ToString(format, CultureInfo.InvariantCulture));
            return from == to ? from : $"{from} to {to}";
        }
    }
}
