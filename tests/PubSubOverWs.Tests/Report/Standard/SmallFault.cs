using PubSubOverWs.LoadTest.Experiments.Paper;
using PubSubOverWs.LoadTest.Experiments.Paper.Faults;
using PubSubOverWs.LoadTest.Experiments.Paper.Predictions;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Formats;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Tests.Record;

namespace PubSubOverWs.Tests.Report.Standard;

/// <summary>
/// A run of 100 pairs under a fault, made up: direct refuses about a sixth, as its windows foretell, and pubsub delivers a few copies
/// twice.
/// </summary>
internal static class SmallFault
{
    private const int Lost = 330;

    public static OneWayScenario Scenario { get; } = new()
    {
        Name = "faults",
        Workload = Workload.Pairs,
        Users = [100],
        Messages = 20,
        Iterations = 10,
        Blocks = 5,
        WarmUps = 1,
        Arrival = Arrival.Parse("spread:24s"),
        Deadline = TimeSpan.FromSeconds(20),
        Receipts = true,
        Visibility = TimeSpan.FromSeconds(5),
        Floor = false,
        Fault = new RestartFault(KillSignal.Kill) { Down = TimeSpan.FromSeconds(2) },
    };

    public static RunFolder Folder { get; } = Of(Scenario);

    public static RunFolder Of(OneWayScenario scenario)
    {
        var run = Some.RunOf(scenario.Checked()) with { Prediction = FaultExpectations.Registered(scenario) };
        var order = 0;
        IterationRow[] rows = [.. from step in run.Order from arm in step.Arms select Row(scenario, step, arm) with { Order = ++order }];
        var actions = from row in rows
                      from moment in FaultTimeline.For(scenario.Fault, scenario.Seed, row.Iteration, scenario.Arrival.Spread)
                      let kind = $"fault-{Kebab.Text(moment.Kind)}"
                      from one in new[]
                      {
                        new EventRow(row.Start + moment.At, kind, row.Arm, $"iteration {row.Iteration}: begins"),
                        new EventRow(
                            row.Start + moment.At + moment.For, kind, row.Arm,
                            $"iteration {row.Iteration}: is over, 1 ms after it was due"),
                    }
                      select one;
        return new RunFolder(run, [.. rows.Select(row => row with { Measures = Fault(row).Measures })], [.. actions]);
    }

    /// <summary>The same, what happened to the clients of each row changed.</summary>
    public static RunFolder WithFaults(RunFolder folder, Func<FaultRow, FaultRow> change) =>
        folder with { Rows = [.. folder.Rows.Select(row => row with { Measures = change(FaultRow.Find(row)!).Measures })] };

    /// <summary>The same, some rows of one arm changed.</summary>
    public static RunFolder With(RunFolder folder, string arm, Func<IterationRow, IterationRow> change) =>
        folder with { Rows = [.. folder.Rows.Select(row => row.Arm == arm ? change(row) : row)] };

    /// <summary>The row with so many attempts refused because there was no subscriber.</summary>
    public static IterationRow Refusing(IterationRow row, long lost) => row with
    {
        Buckets = row.Buckets with
        {
            Acknowledged = row.Buckets.Attempts - lost,
            Delivered = row.Buckets.Attempts - lost,
            Refused = lost,
            Causes = new CauseCounts(NoSubscriber: lost),
        },
    };

    private static IterationRow Row(OneWayScenario scenario, PlannedIteration step, string arm)
    {
        var noise = ((step.Iteration * 7) + arm.Length) % 5;
        var row = Some.Row(arm, step.Level.Number, step.Block, step.Iteration, (arm == Relays.PubSub ? 40_000 : 10_000) + (noise * 100))
            .Of(scenario);
        var attempts = scenario.Attempts(Some.Level(step.Level.Number));
        return Refusing(row with
        {
            WarmUp = step.WarmUp,
            Start = TimeSpan.FromSeconds(60 * step.Iteration),
            Burst = TimeSpan.FromSeconds(44),
            Buckets = new Buckets { Attempts = attempts },
            Anomalies = new Anomalies(arm == Relays.PubSub ? noise : 0, 0, 0, 0),
            ClientBytes = scenario.Fault.KillsServers ? null : row.ClientBytes,
            Queue = scenario.Fault.KillsServers ? null : row.Queue,
            Drops = scenario.Fault.KillsServers ? null : row.Drops,
        }, arm == Relays.Direct ? Lost + noise : 0);
    }

    private static FaultRow Fault(IterationRow row) => new()
    {
        Arm = row.Arm,
        Iteration = row.Iteration,
        FaultActions = 2,
        SubscriberWindows = 200,
        SubscriberAwayMean = TimeSpan.FromMilliseconds(row.Arm == Relays.Direct ? 2_200 : 2_230),
        SubscriberAwayMax = TimeSpan.FromMilliseconds(2_600),
        PublisherWindows = 200,
        PublisherAwayMean = TimeSpan.FromMilliseconds(2_150),
        NeverBack = 0,
        PredictedLost = 340,
        Republished = row.Iteration % 3,
        LateWhileAway = 0,
    };
}

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
