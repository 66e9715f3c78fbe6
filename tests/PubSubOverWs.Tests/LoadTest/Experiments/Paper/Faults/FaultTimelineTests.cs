using PubSubOverWs.LoadTest.Experiments.Paper.Faults;
using PubSubOverWs.Record.Scenarios;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Paper.Faults;

public sealed class FaultTimelineTests
{
    private static readonly TimeSpan Spread = TimeSpan.FromSeconds(24);

    private static readonly RestartFault Restart = new(KillSignal.Kill);

    [Fact]
    public void Restarts_come_one_in_each_part_with_time_to_recover_before_the_next()
    {
        foreach (var iteration in Enumerable.Range(1, 200))
        {
            var moments = FaultTimeline.For(Restart, 2015, iteration, Spread);
            Assert.Equal([FaultActionKind.KillServer, FaultActionKind.KillServer], moments.Select(moment => moment.Kind));
            Assert.All(moments, moment => Assert.Equal(Restart.Down, moment.For));
            Assert.InRange(moments[0].At, TimeSpan.Zero, TimeSpan.FromSeconds(4));
            Assert.InRange(moments[1].At, TimeSpan.FromSeconds(12), TimeSpan.FromSeconds(16));
        }
    }

    [Fact]
    public void A_short_outage_leaves_as_long_again_to_recover()
    {
        var brief = Restart with { Down = TimeSpan.FromSeconds(1) };
        var last = Enumerable.Range(1, 2_000).Max(iteration => FaultTimeline.For(brief, 2015, iteration, Spread)[0].At.TotalSeconds);
        Assert.InRange(last, 9.9, 10);
    }

    [Fact]
    public void Times_are_drawn_by_seed_and_iteration_alone()
    {
        Assert.Equal(FaultTimeline.For(Restart, 7, 3, Spread), FaultTimeline.For(Restart, 7, 3, Spread));
        Assert.NotEqual(FaultTimeline.For(Restart, 7, 3, Spread), FaultTimeline.For(Restart, 7, 4, Spread));
        Assert.NotEqual(FaultTimeline.For(Restart, 7, 3, Spread), FaultTimeline.For(Restart, 8, 3, Spread));
    }

    [Fact]
    public void Over_many_iterations_every_part_of_the_time_is_drawn()
    {
        var first = Enumerable.Range(1, 2_000).Select(iteration => FaultTimeline.For(Restart, 2015, iteration, Spread)[0].At.TotalSeconds)
            .ToArray();
        Assert.InRange(first.Average(), 1.9, 2.1);
        Assert.All(Enumerable.Range(0, 4), second => Assert.InRange(first.Count(at => (int)at == second), 430, 570));
    }

    [Fact]
    public void A_stopped_server_is_stopped_when_a_killed_one_is_killed()
    {
        var stopped = FaultTimeline.For(new RestartFault(KillSignal.Term), 2015, 1, Spread);
        Assert.Equal(
            FaultTimeline.For(Restart, 2015, 1, Spread).Select(moment => moment with { Kind = FaultActionKind.StopServer }), stopped);
    }

    [Fact]
    public void Under_overload_the_server_is_killed_once_in_the_second_half_where_a_backlog_waits()
    {
        foreach (var iteration in Enumerable.Range(1, 200))
        {
            var moment = Assert.Single(FaultTimeline.For(new OverloadRestartFault(), 2015, iteration, Spread));
            Assert.Equal((FaultActionKind.KillServer, TimeSpan.FromSeconds(5)), (moment.Kind, moment.For));
            Assert.InRange(moment.At, TimeSpan.FromSeconds(12), TimeSpan.FromSeconds(16));
        }
    }

    [Fact]
    public void The_queue_is_away_or_killed_when_the_scenario_says_so()
    {
        Assert.Equal(
            [new FaultAction(TimeSpan.FromSeconds(8), FaultActionKind.QueueRefuses, TimeSpan.FromSeconds(5))],
            FaultTimeline.For(new QueueDownFault(), 1, 1, Spread));
        Assert.Equal(FaultActionKind.QueueStalls, FaultTimeline.For(new QueueDownFault { How = QueueAbsence.Stall }, 1, 1, Spread)[0].Kind);
        Assert.Equal(
            [new FaultAction(TimeSpan.FromSeconds(12), FaultActionKind.KillQueue, TimeSpan.FromSeconds(1))],
            FaultTimeline.For(new QueueKilledFault(), 1, 1, Spread));
    }

    [Fact]
    public void A_fault_that_lasts_all_the_time_has_no_actions() =>
        Assert.All([FaultProfiles.None, new ChurnFault(), new BadNetworkFault(), new OverloadFault()],
            fault => Assert.Empty(FaultTimeline.For(fault, 1, 1, Spread)));
}
