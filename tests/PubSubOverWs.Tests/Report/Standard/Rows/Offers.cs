using PubSubOverWs.LoadTest.Experiments.RequestReply;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Report.Metrics;
using PubSubOverWs.Tests.Record;

namespace PubSubOverWs.Tests.Report.Standard.Rows;

/// <summary>Runs of an experiment whose levels are rates: 100, 200 and 400 requests/s in two blocks, held with a p99 of 20 ms.</summary>
internal static class Offers
{
    public static KneeLimit Limit { get; } = new(TimeSpan.FromMilliseconds(100));

    public static KneeRule Rule { get; } =
        new([Limit], row => row.Measures.GetValueOrDefault(RequestReplyScenario.Answered.Name));

    public static RequestReplyScenario Scenario { get; } = new() { Name = "t", Rates = [100, 200, 400], Iterations = 2, Blocks = 2 };

    /// <param name="change">Of each row.</param>
    public static RunFolder Folder(Func<IterationRow, IterationRow>? change = null)
    {
        var run = Some.RunOf(Scenario);
        return new RunFolder(
            run,
            [
                .. from step in run.Order
                   from arm in step.Arms
                   let row = Row(arm, step)
                   select change?.Invoke(row) ?? row,
            ],
            []);
    }

    public static IterationRow Lossy(this IterationRow row) => row with
    {
        Buckets = row.Buckets with
        {
            Delivered = row.Buckets.Attempts - 3,
            LostUnacknowledged = 3,
            Causes = new CauseCounts { Deadline = 3 },
        },
    };

    public static IterationRow Slow(this IterationRow row, double p99Ms) =>
        row with { FromDue = row.FromDue with { P99 = p99Ms * 1000 }, FromSent = row.FromSent with { P99 = p99Ms * 1000 } };

    public static IterationRow Achieving(this IterationRow row, double rate) =>
        row with { Measures = new Dictionary<string, double?> { [RequestReplyScenario.Answered.Name] = rate } };

    /// <summary>The load and the queue took so much of their core.</summary>
    public static IterationRow Busy(this IterationRow row, double share) => row with
    {
        Burst = TimeSpan.FromSeconds(10),
        Cpu = new CpuTimes(TimeSpan.FromSeconds(1), null, TimeSpan.FromSeconds(10 * share), TimeSpan.Zero),
    };

    private static IterationRow Row(string arm, PlannedIteration step) => (Some.Row(arm, 100, step.Block, step.Iteration) with
    {
        Level = step.Level,
        Connections = Scenario.UsersAt(step.Level),
    }).Slow(20).Achieving(step.Level.Number).Busy(0.5);
}
