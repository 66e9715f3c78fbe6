using PubSubOverWs.LoadTest.Harness.Live;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Tests.LoadTest.Harness.Runs;
using PubSubOverWs.Tests.PubSubServer;
using PubSubOverWs.Tests.Record;

namespace PubSubOverWs.Tests.LoadTest.Harness.Live;

public sealed class ScoreboardTests
{
    private readonly Scoreboard _scores = new();

    [Fact]
    public void Iterations_of_an_arm_and_level_are_added_up()
    {
        _scores.Add(Row(Relays.Direct, delivered: 1, mean: 1000));
        _scores.Add(Row(Relays.Direct, delivered: 0, mean: null));
        _scores.Add(Row(Relays.Direct, delivered: 1, mean: 3000));

        Assert.Equal([new ArmProgress(Relays.Direct, Some.Level(1), 3, 3, 2, TimeSpan.FromMilliseconds(2))], _scores.Arms);
    }

    [Fact]
    public void Latency_of_open_loop_work_is_from_due_as_in_the_report()
    {
        var row = Row(Relays.Direct, delivered: 1, mean: 1000) with { FromDue = new LatencySummary { Count = 1, Mean = 5000 } };
        var scores = new Scoreboard();

        scores.Add(row.Of(Some.Scenario with { Arrival = Arrival.Parse("spread:2s") }));
        _scores.Add(row);

        Assert.Equal(TimeSpan.FromMilliseconds(5), Assert.Single(scores.Arms).MeanLatency);
        Assert.Equal(TimeSpan.FromMilliseconds(1), Assert.Single(_scores.Arms).MeanLatency);
    }

    private static IterationRow Row(string arm, long delivered, double? mean) => RecordedRun.Row(arm, 1, 1, 1) with
    {
        Buckets = new Buckets
        { Attempts = 1, Delivered = delivered, LostUnacknowledged = 1 - delivered, Causes = new CauseCounts(Deadline: 1 - delivered) },
        FromSent = new LatencySummary { Count = delivered, Mean = mean },
    };
}
