using PubSubOverWs.LoadTest.Experiments.Paper;
using PubSubOverWs.LoadTest.Harness.Live;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Scenarios;

namespace PubSubOverWs.EndToEndTests.LoadTest;

/// <summary>Progress of a run that is not run: two arms at two levels with warm-up, floor, losses and faults.</summary>
public sealed class ShownRun
{
    private static readonly string[] Arms = ["direct", "pubsub"];
    private static readonly int[] Users = [50, 2000];
    private static readonly string[] Names = ["direct", "localsqs", "pubsub", "load"];

    private readonly Scoreboard _scores = new();

    public ShownRun(int iterations)
    {
        var order = 0;
        foreach (var users in Users)
        {
            Rows.Add(Row(Arm.Floor.Name, users, ++order, iteration: 0));
            for (var i = 0; i < iterations; i++)
            {
                foreach (var arm in Arms)
                    Rows.Add(Row(arm, users, ++order, i));
            }
        }
    }

    public static LiveRun About { get; } = new(
        "shown", Path.Combine("results", "shown"), [.. Arms, Arm.Floor.Name],
        [.. Users.Select(users => $"{OneWayScenario.OfUsers(users)}")]);

    public List<IterationRow> Rows { get; } = [];

    /// <summary>As <c>Measurement</c> reports it: the start, then each trial.</summary>
    public IEnumerable<RunProgress> Progress()
    {
        yield return At(0, [], []);
        for (var i = 0; i < Rows.Count; i++)
        {
            _scores.Add(Rows[i]);
            yield return At(i + 1, [Rows[i]], EventsOf(Rows[i]));
        }
    }

    private RunProgress At(int done, IReadOnlyList<IterationRow> rows, IReadOnlyList<EventRow> events) => new(
        done, Rows.Count, null, done < Rows.Count ? TrialOf(Rows[done]) : null, TimeSpan.FromSeconds(done),
        TimeSpan.FromSeconds(Rows.Count - done), _scores.Arms)
    {
        Rows = rows,
        Events = events,
        Processes = [.. Names.Select((name, i) =>
            new NamedUse(name, new ProcessUse(TimeSpan.FromSeconds(done * 0.11 * (i + 1)), (40L + (30 * i) + (done % 9)) << 20)))],
    };

    private static Trial TrialOf(IterationRow row) =>
        new(new Arm(row.Arm, row.Arm), row.Level, row.Block, row.Iteration, row.Order, row.WarmUp);

    private static IReadOnlyList<EventRow> EventsOf(IterationRow row) => row.Order % 10 == 4
        ?
        [
            new EventRow(row.Start + TimeSpan.FromMilliseconds(200), "fault-kill-server", row.Arm, "killed, and started again"),
            new EventRow(row.Start + TimeSpan.FromMilliseconds(700), "failure", row.Arm, "send-error x 3"),
        ]
        : [];

    private static IterationRow Row(string arm, int users, int order, int iteration)
    {
        var lost = order % 10 == 4 ? users / 20 : 0;
        var mean = (arm == "pubsub" ? 12_000 : 2_000) * (1 + (0.2 * (order % 5))) * (users / 50.0);
        return new IterationRow
        {
            Arm = arm,
            Level = OneWayScenario.OfUsers(users),
            Block = 1,
            Iteration = order,
            Order = order,
            WarmUp = iteration == 0,
            Start = TimeSpan.FromSeconds(order),
            Connect = TimeSpan.FromMilliseconds(100),
            Burst = TimeSpan.FromMilliseconds(500),
            Drain = TimeSpan.FromMilliseconds(300),
            DrainState = DrainState.Proven,
            Connections = users,
            Buckets = new Buckets
            {
                Attempts = users,
                Delivered = users - lost,
                Late = lost / 2,
                LostUnacknowledged = lost - (lost / 2),
                Causes = new CauseCounts(Deadline: lost),
            },
            Cpu = new CpuTimes(
                TimeSpan.FromMilliseconds(120 + order % 7), arm == "pubsub" ? TimeSpan.FromMilliseconds(60) : null,
                TimeSpan.FromMilliseconds(200), TimeSpan.FromMilliseconds(3)),
            FromSent = new LatencySummary
            {
                Count = users - lost,
                Mean = mean,
                P50 = 0.9 * mean,
                P90 = users >= 100 ? 1.6 * mean : null,
                P99 = users >= 1000 ? 2.4 * mean : null,
                Max = 3 * mean,
                Min = 100,
            },
        };
    }
}
