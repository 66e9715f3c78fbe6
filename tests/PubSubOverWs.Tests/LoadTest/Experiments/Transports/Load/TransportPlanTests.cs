using PubSubOverWs.LoadTest.Experiments.Transports;
using PubSubOverWs.LoadTest.Experiments.Transports.Load;
using PubSubOverWs.Record.Scenarios;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Transports.Load;

public sealed class TransportPlanTests
{
    private static readonly TransportSweepScenario Scenario =
        new() { Name = "x", Delays = [5, 10], Phases = 4, Measurements = 3 };

    private static readonly TransportPlan Plan = new(Scenario, [.. Trial.From(Scenario, RunPlan.For(Scenario).Take(2))], "run");

    [Fact]
    public void Every_client_of_an_arm_has_a_sensor_of_its_own_and_those_of_different_arms_share_it()
    {
        Assert.Equal((8, 88, 64), (Plan.Channels, Plan.Sends, Plan.FirstJudged));
        Assert.Equal(
            Enumerable.Range(0, 8), Scenario.Levels.SelectMany(level => Enumerable.Range(0, 4).Select(i => Plan.ChannelOf(level, i))));
        Assert.Equal(Enumerable.Range(0, 88), from number in Enumerable.Range(0, 11)
                                              from channel in Enumerable.Range(0, 8)
                                              select (int)Plan.SendOf(channel, number));
        Assert.Equal((7, 2), Plan.Of(23));
    }

    [Fact]
    public void A_sensor_measures_every_period_and_no_two_at_the_same_time()
    {
        var due = Enumerable.Range(0, 88).Select(send => Plan.DueAt(send)).ToArray();

        Assert.Equal(due.Distinct(), due);
        Assert.All(Enumerable.Range(0, 8), channel => Assert.Equal(Scenario.Period, due[channel + 8] - due[channel]));
    }

    [Fact]
    public void Clients_begin_to_poll_at_evenly_spaced_phases_the_same_in_every_arm()
    {
        var phases = Enumerable.Range(0, 4).Select(client => Plan.PhaseOf(Scenario.Levels[0], client)).ToArray();

        Assert.InRange(phases[0], TimeSpan.Zero, Scenario.Period / 4);
        Assert.All(
            phases.Skip(1).Zip(phases), pair => Assert.InRange((pair.First - pair.Second - (Scenario.Period / 4)).Ticks, -1, 1));
    }

    [Fact]
    public void Names_of_clients_are_unique_and_ids_are_those_of_the_measurement()
    {
        var trials = Plan.Trials;

        Assert.Equal(
            trials.Count * 4,
            trials.SelectMany(trial => Enumerable.Range(0, 4).Select(i => Plan.NameOf(trial, i))).Distinct().Count());
        Assert.Equal(TransportPlan.IdOf(trials[0], 1, 2), TransportPlan.IdOf(trials[1], 1, 2));
    }
}
