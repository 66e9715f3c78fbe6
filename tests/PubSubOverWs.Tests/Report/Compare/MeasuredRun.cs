using PubSubOverWs.LoadTest.Experiments.Paper;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Tests.Record;

namespace PubSubOverWs.Tests.Report.Compare;

/// <summary>Two levels, two arms, and the same mean latencies in each of them: three blocks of three iterations.</summary>
internal static class MeasuredRun
{
    /// <summary>Milliseconds; the blocks differ more than the iterations in them, as processes do.</summary>
    public static readonly double[] Before = [10.0, 10.4, 10.2, 10.6, 11.0, 10.8, 9.8, 10.2, 10.0];

    public static readonly double[] After = [10.9, 11.3, 11.1, 11.0, 11.6, 11.2, 10.8, 11.2, 11.3];

    public static OneWayScenario Scenario { get; } = new()
    { Name = "paper", Users = [50, 1000], Iterations = 9, Blocks = 3, WarmUps = 0, Floor = false };

    public static RunFolder Of(
        IReadOnlyList<double> milliseconds, OneWayScenario? scenario = null, Func<IterationRow, IterationRow>? change = null)
    {
        var run = Some.RunOf(scenario ?? Scenario);
        var trial = new Dictionary<(string Arm, int Users), int>();
        var rows = new List<IterationRow>();
        foreach (var step in run.Order)
        {
            foreach (var arm in step.Arms)
            {
                var next = trial.GetValueOrDefault((arm, step.Level.Number));
                trial[(arm, step.Level.Number)] = next + 1;
                var row = Some.Row(arm, step.Level.Number, step.Block, step.Iteration, milliseconds[next % milliseconds.Count] * 1000) with
                { Order = rows.Count + 1 };
                rows.Add(change?.Invoke(row) ?? row);
            }
        }

        return new RunFolder(run, rows, []);
    }

    public static IterationRow Losing(IterationRow row, int lost) => row with
    {
        Buckets = new Buckets
        { Attempts = row.Users, Delivered = row.Users - lost, LostUnacknowledged = lost, Causes = new CauseCounts(Deadline: lost) },
    };

    /// <summary>Nothing arrived, so there is no latency either.</summary>
    public static IterationRow Silenced(IterationRow row) =>
        Losing(row, row.Users) with { FromDue = new LatencySummary { Count = 0 }, FromSent = new LatencySummary { Count = 0 } };

    /// <summary>The run, made a day before: no two runs have one start.</summary>
    public static RunFolder Earlier(RunFolder run) => run with { Run = run.Run with { Started = run.Run.Started.AddDays(-1) } };

    public static double[] Shifted(IEnumerable<double> values, double by) => [.. values.Select(value => value + by)];
}
