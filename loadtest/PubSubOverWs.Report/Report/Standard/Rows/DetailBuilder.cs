using PubSubOverWs.Report.Claims;
using PubSubOverWs.Report.Gates;
using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Report.Standard.Rows;

/// <summary>The rows of one arm at one level that are shown and not judged. The level has at least one iteration.</summary>
internal static class DetailBuilder
{
    public static LossRow Losses(ArmLevel level)
    {
        var sum = level.Buckets;
        var withLoss = level.Rows.Count(row => row.Buckets.Lost > 0);
        var dispersion = Dispersion.Index([.. level.Rows.Select(row => (double)row.Buckets.Lost)]);
        return new LossRow(
            level.Arm,
            level.Level,
            level.Rows.Count,
            sum,
            withLoss,
            ExactInterval.Compute(withLoss, level.Rows.Count, 0.95),
            dispersion,
            dispersion <= Dispersion.LargestForMessages ? ExactInterval.Compute(sum.Lost, sum.Attempts, 0.95) : null,
            level.Anomalies,
            Sum(level.Rows.Select(row => row.Drops), (sum, drops) => sum.Add(drops)))
        {
            NotDrained = level.Rows.Count(row => row.DrainState != DrainState.Proven),
        };
    }

    public static LatencyRow LatencyShape(ArmLevel level)
    {
        var shapes = level.Rows.Select(row => row.Latency).ToArray();
        return new LatencyRow(
            level.Arm,
            level.Users,
            shapes.Length,
            Mean(shapes.Select(shape => shape.Mean / 1000)),
            Mean(shapes.Select(shape => shape.RestrictedMean / 1000)),
            Median.Compute(shapes.Select(shape => shape.P50 / 1000)),
            Median.Compute(shapes.Select(shape => shape.P90 / 1000)),
            Median.Compute(shapes.Select(shape => shape.P99 / 1000)),
            shapes.Max(shape => shape.Max / 1000),
            Mean(level.Rows.Select(row => row.FromDue.Mean / 1000)));
    }

    public static FloorRow Floor(ArmLevel level)
    {
        var means = level.Rows.Select(row => row.Latency.Mean / 1000).ToArray();
        return new FloorRow(level.Users, means.Length, Mean(means), means.Min(), means.Max());
    }

    public static EgressRow Egress(ArmLevel level) => new(
        level.Arm,
        level.Users,
        level.Buckets.Delivered,
        Sum(level.Rows.Select(row => row.ClientBytes), (sum, bytes) => sum.Add(bytes)),
        Sum(level.Rows.Select(row => row.Queue), (sum, traffic) => sum.Add(traffic)));

    public static LoadRow Load(RunRecord run, ArmLevel level)
    {
        var rows = level.Rows;
        var delivered = level.Buckets.Delivered;
        return new LoadRow(
            level.Arm,
            level.Users,
            (double)rows.Sum(row => (long)row.Connections) / rows.Sum(row => (long)row.Users),
            Mean(rows.Select(row => (double?)row.Connect.TotalMilliseconds)),
            run.Scenario.Arrivals.IsBurst ? null : run.Scenario.Attempts(level.Level) / run.Scenario.Arrivals.Spread.TotalSeconds,
            rows.Sum(row => row.Burst.TotalSeconds) is > 0 and var seconds ? delivered / seconds : null,
            rows.Max(row => row.ScheduleLagP99?.TotalMilliseconds),
            rows.Max(row => Validity.LoadCoreShare(run, row)),
            PerDelivered(rows.Select(row => row.Cpu.Server), delivered),
            PerDelivered(rows.Select(row => row.Cpu.Queue), delivered),
            PerDelivered(rows.Select(row => row.Cpu.Load), delivered),
            Mean(rows.Select(row => row.Cpu.Idle?.TotalMilliseconds)));
    }

    // A sum with an unknown part is unknown.
    private static double? PerDelivered(IEnumerable<TimeSpan?> times, long delivered)
    {
        var known = times.ToArray();
        return delivered == 0 || known.Any(time => time is null) ? null : known.Sum(time => time!.Value.TotalMicroseconds) / delivered;
    }

    private static T? Sum<T>(IEnumerable<T?> parts, Func<T, T, T> add)
        where T : struct
    {
        var known = parts.ToArray();
        return known.Any(part => part is null) ? null : known.Aggregate(default(T), (sum, part) => add(sum, part!.Value));
    }

    private static double? Mean(IEnumerable<double?> values) => values.Average();
}

/// <summary>The part of every report about its run: how complete and valid it is, its gates, and where it was made.</summary>
public sealed record RunFacts(
    Scenario Scenario, Progress Progress, SetUp SetUp, MachineRecord Machine, IReadOnlyList<ValidityCheck> Validity,
    IReadOnlyList<GateResult> Gates)
{
    public bool IsValid => Validity.All(check => check.Holds != false);

    public static RunFacts From(RunFolder folder) => new(
        folder.Run.Scenario, ProgressOf(folder), folder.Run.SetUp, folder.Run.Machine, Claims.Validity.Check(folder),
        GateCheck.Check(
            folder, Gate.From(folder.Run.Scenario),
            without: "because a report is made of this folder alone: report DIR --baseline B decides it"));

    private static Progress ProgressOf(RunFolder folder)
    {
        var run = folder.Run;
        var recorded = folder.Rows.Where(row => !row.Superseded).Select(row => (row.Iteration, row.Arm)).ToHashSet();
        var planned = WarmUpRule.Planned(run.Scenario, run.Order, folder.Rows).ToArray();
        var blocks = planned.GroupBy(one => one.Step.Block).ToArray();
        return new Progress(
            run.Label,
            run.Started,
            run.Ended,
            run.Complete,
            run.Resumed,
            planned.Length,
            recorded.Count,
            blocks.Length,
            blocks.Count(block => block.All(one => recorded.Contains((one.Step.Iteration, one.Arm)))),
            folder.Rows.Count(row => row.Superseded));
    }
}

/// <summary>How much of a run was recorded.</summary>
/// <param name="Started">UTC.</param>
/// <param name="Ended">UTC; null: it was killed, or is still running.</param>
/// <param name="Complete">False: interrupted.</param>
/// <param name="Planned">
/// Rows in the plan: arms times iterations, with floor and warm-up, but without the warm-ups that a steady arm did not need.
/// </param>
/// <param name="Recorded">Rows without superseded ones.</param>
/// <param name="Superseded">Rows of cut blocks that ran again: kept but not used.</param>
public sealed record Progress(
    string? Label, DateTimeOffset Started, DateTimeOffset? Ended, bool Complete, int Resumed, int Planned, int Recorded, int BlocksPlanned,
    int BlocksWhole, int Superseded);
