using PubSubOverWs.LoadTest.Experiments.Paper;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Tests.Record;

namespace PubSubOverWs.Tests.Report.Standard;

/// <summary>A run of two published levels, made up: pubsub takes twice as long, and direct loses a little at 500 users.</summary>
internal static class SmallRun
{
    public static OneWayScenario Scenario { get; } = new()
    {
        Name = "paper",
        Users = [50, 500],
        Iterations = 30,
        Blocks = 5,
        WarmUps = 1,
        Gates = ["pubsub.loss == 0", "direct.loss == 0"],
    };

    public static RunFolder Folder { get; } = Of(Scenario);

    public static RunFolder Of(OneWayScenario scenario)
    {
        var run = Some.RunOf(scenario);
        var order = 0;
        var rows = from step in run.Order from arm in step.Arms select Row(step, arm) with { Order = ++order };
        return new RunFolder(run, [.. rows], [new EventRow(TimeSpan.Zero, "started", "direct", "block 1")]);
    }

    private static IterationRow Row(PlannedIteration step, string arm)
    {
        var usual = Some.Arm(arm).Target switch { Relays.Direct => 10_000, Relays.PubSub => 20_000, _ => 2_000 };
        // A fixed pattern stands in for noise: 0 to 4, different in the arms.
        var noise = ((step.Iteration * 7) + arm.Length) % 5;
        var row = Some.Row(arm, step.Level.Number, step.Block, step.Iteration, usual + (noise * 100)) with { WarmUp = step.WarmUp };
        var lost = arm == Relays.Direct && step.Level.Number == 500 ? noise : 0;
        return row with
        {
            Buckets = new Buckets
            {
                Attempts = step.Level.Number,
                Delivered = step.Level.Number - lost,
                LostUnacknowledged = lost,
                Causes = new CauseCounts(Deadline: lost),
            },
            Drops = new ServerDrops(0, lost, 0),
            ClientBytes = new ClientBytes(
                100L * (step.Level.Number - lost), (150L * (step.Level.Number - lost)) + noise, 4L * (step.Level.Number - lost),
                (254L * (step.Level.Number - lost)) + noise),
        };
    }
}
