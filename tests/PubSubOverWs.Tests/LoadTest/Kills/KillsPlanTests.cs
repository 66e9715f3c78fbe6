using PubSubOverWs.LoadTest.Kills;

namespace PubSubOverWs.Tests.LoadTest.Kills;

public sealed class KillsPlanTests
{
    private static readonly KillsPlan Plan = new() { Messages = 1_000, Kills = 20, Every = TimeSpan.FromSeconds(5) };

    [Fact]
    public void One_kill_comes_in_each_period() =>
        Assert.All(Plan.KillTimes().Index(), kill => Assert.InRange(kill.Item, Plan.Every * kill.Index, Plan.Every * (kill.Index + 1)));

    [Fact]
    public void The_same_seed_kills_at_the_same_moments()
    {
        Assert.Equal(Plan.KillTimes(), (Plan with { }).KillTimes());
        Assert.NotEqual(Plan.KillTimes(), (Plan with { Seed = 2 }).KillTimes());
    }

    [Fact]
    public void Messages_are_due_evenly_for_as_long_as_there_are_kills()
    {
        Assert.Equal(TimeSpan.Zero, Plan.DueAt(0));
        Assert.Equal(TimeSpan.FromSeconds(50), Plan.DueAt(500));
        Assert.Equal(TimeSpan.FromSeconds(99.9), Plan.DueAt(999));
    }
}
