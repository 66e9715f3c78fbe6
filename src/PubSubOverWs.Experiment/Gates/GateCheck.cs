using System.Globalization;
using PubSubOverWs.Experiment.Accounting;
using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.Experiment.Gates;

/// <summary>Holds gates against a record. Every level of the scenario must satisfy a gate; warm-up and superseded rows are left out.</summary>
public static class GateCheck
{
    public static IReadOnlyList<GateResult> Check(RunFolder folder, IEnumerable<Gate> gates)
    {
        var broken = Validity.Check(folder).Where(check => check.Holds == false).Select(check => check.Name).ToArray();
        return [.. gates.Select(gate => Check(folder, gate, broken))];
    }

    /// <summary>What a program ends with that has made this record and checked these gates.</summary>
    public static ExitCode ExitCodeOf(RunFolder folder, IEnumerable<GateResult> results) => folder switch
    {
        _ when !folder.Rows.Any(row => row.Counts && row.Arm != Arms.Floor) => ExitCode.NothingMeasured,
        _ when !Validity.IsValid(folder) || results.Any(result => !result.Passed) => ExitCode.GateFailed,
        _ => ExitCode.Success,
    };

    private static GateResult Check(RunFolder folder, Gate gate, string[] broken)
    {
        if (broken.Length > 0)
            return new(gate, false, $"{gate.Text}: failed, because the run is invalid ({string.Join("; ", broken)}).");
        if (!folder.Run.Complete)
            return new(gate, false, $"{gate.Text}: failed, because the run is incomplete.");
        if (!folder.Run.Scenario.Arms.Contains(gate.Arm))
            return new(gate, false, $"{gate.Text}: failed, because the arm {gate.Arm} was not run.");
        var levels = folder.Run.Scenario.Users.Select(users => ArmLevel.Of(folder, gate.Arm, users)).ToArray();
        if (levels.FirstOrDefault(level => level.Buckets.Attempts == 0) is { } empty)
            return new(gate, false, Invariant($"{gate.Text}: failed, because there is no measured iteration at {empty.Users} users."));
        var failed = levels.Where(level => !gate.Allows(level.Buckets.Lost, level.Buckets.Attempts)).ToArray();
        var attempts = levels.Sum(level => level.Buckets.Attempts);
        var lost = levels.Sum(level => level.Buckets.Lost);
        return failed.Length == 0
            ? new(gate, true, Invariant($"{gate.Text}: passed, {lost} of {attempts} messages lost over {levels.Length} levels."))
            : new(gate, false, $"{gate.Text}: failed, {string.Join(", ", failed.Select(Losses))}.");
    }

    private static string Losses(ArmLevel level) =>
        Invariant($"{level.Buckets.Lost} of {level.Buckets.Attempts} messages lost at {level.Users} users");

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
