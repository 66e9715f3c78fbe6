using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Report.Claims;
using PubSubOverWs.Report.Metrics;
using PubSubOverWs.Report.Standard;
using PubSubOverWs.Tests.Record;

namespace PubSubOverWs.Tests.Report.Claims;

/// <summary>An experiment with three arms, two contrasts and claims: a room that is empty, full and crowded.</summary>
internal static class Rooms
{
    public static Factor Size { get; } = new("size", "m2");

    public static Contrast Crowding { get; } = new("full", "crowded");

    public static Contrast Filling { get; } = new("empty", "crowded");

    public static ScenarioKind Kind { get; } = new(
        "rooms", [new Arm("empty", "room"), new Arm("full", "room"), new Arm("crowded", "room")], [Crowding, Filling], [Size],
        [CommonKeys.Name, CommonKeys.Arms], [], () => new RoomScenario { Name = "rooms" });

    public static RatioClaim AtMostHalfMore { get; } =
        new("half", "a crowd costs at most half", MessageMetrics.Latency, Crowding, Most: 1.5, Required: true);

    public static CountClaim NothingLost { get; } =
        new("kept", "nothing is lost", ["full", "crowded"], "lost", level => level.Buckets.Lost, Required: true);

    public static Analysis Analysis { get; } = new([MessageMetrics.Latency]) { Claims = [AtMostHalfMore, NothingLost] };

    /// <summary>The measure that says that a trial came to the limit of its room.</summary>
    public const string Limit = "limit";

    /// <summary>A run of 20 iterations in 5 blocks, or of 4 in 2, with so many times the latency in the crowd at both levels.</summary>
    public static RunFolder Folder(double small = 1.2, double large = 1.2, bool quick = false, int lost = 0, params string[] arms)
    {
        var scenario = new RoomScenario
        {
            Name = "rooms",
            Arms = [.. Kind.Arms.Where(arm => arms.Length == 0 || arms.Contains(arm.Name))],
            Iterations = quick ? 4 : 20,
            Blocks = quick ? 2 : 5,
            WarmUps = 0,
            Floor = false,
        };
        var run = Some.RunOf(scenario);
        var rows = from step in run.Order
                   from arm in step.Arms
                   select Row(arm, step, arm == "crowded" ? step.Level.Number == 10 ? small : large : 1, arm == "crowded" ? lost : 0);
        return new RunFolder(run, [.. rows.Select((row, i) => row with { Order = i + 1 })], []);
    }

    /// <summary>The same run, in which the crowd came to the limit of its room at a level.</summary>
    public static RunFolder AtTheirLimit(RunFolder folder, int level) => folder with
    {
        Rows = [.. folder.Rows.Select(row => row.Arm == "crowded" && row.Level.Number == level
            ? row with { Measures = new Dictionary<string, double?> { [Limit] = 1 } }
            : row)],
    };

    // Iterations differ by a few percent, and not all blocks by the same.
    private static IterationRow Row(string arm, PlannedIteration step, double factor, int lost)
    {
        var latency = factor * (10_000 + (100 * (step.Iteration % 7)) + (step.Block * 50));
        var row = Some.Row(arm, users: 10, step.Block, step.Iteration, latency);
        return row with
        {
            Level = step.Level,
            Buckets = row.Buckets with
            {
                Delivered = row.Buckets.Attempts - lost,
                LostUnacknowledged = lost,
                Causes = new CauseCounts { Deadline = lost },
            },
        };
    }

    private sealed record RoomScenario : Scenario, ILimitReached
    {
        public override ScenarioKind Kind => Rooms.Kind;

        public override IReadOnlyList<string> DefaultArms => ["empty", "full", "crowded"];

        public override IReadOnlyList<Level> Levels { get; } = [new([new Setting(Size, 10)]), new([new Setting(Size, 90)])];

        public override Arrival Arrivals => Arrival.Burst;

        public string? LimitReached(IReadOnlyDictionary<string, double?> measures) =>
            measures.ContainsKey(Limit) ? "a room without air" : null;

        public override LevelLoad LoadAt(Level level) => new(10, 10);

        internal override void CheckLevels(string prefix)
        {
        }
    }
}
