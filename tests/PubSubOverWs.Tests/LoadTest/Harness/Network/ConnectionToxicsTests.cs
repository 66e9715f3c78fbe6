using PubSubOverWs.LoadTest.Experiments.Paper.Faults;
using PubSubOverWs.LoadTest.Harness.Network;
using PubSubOverWs.Record.Scenarios;

namespace PubSubOverWs.Tests.LoadTest.Harness.Network;

public sealed class ConnectionToxicsTests
{
    private static readonly LatencyToxic Late = new(Passed.Seconds(1));

    [Fact]
    public void A_toxic_is_for_the_directions_that_it_names()
    {
        var toxics = Draw(
            [Late with { Direction = Direction.ToServer }, new LimitToxic(1) { Direction = Direction.ToClient }, new SlicerToxic(1)]);

        Assert.Equal((2, 2), (toxics.ToServer.Count, toxics.ToClient.Count));
        Assert.Equal(Passed.Seconds(1), toxics.ToServer[0].Take(1).Single().Due);
        Assert.True(toxics.ToClient[0].Take(1).Single().Ends);
        Assert.Null(toxics.ResetAt);
    }

    [Fact]
    public void A_toxic_is_applied_to_its_share_of_connections_and_to_the_same_ones_again()
    {
        int[] Affected() =>
            [.. Enumerable.Range(0, 10_000).Where(connection => Draw([Late with { Probability = 0.1 }], connection).ToServer.Count > 0)];

        Assert.InRange(Affected().Length, 880, 1120);
        Assert.Equal(Affected(), Affected());
    }

    [Fact]
    public void Two_toxics_are_drawn_independently()
    {
        var both = Enumerable.Range(0, 10_000)
            .Select(connection => Draw([Late with { Probability = 0.5 }, Late with { Probability = 0.5 }], connection));

        Assert.InRange(both.Count(toxics => toxics.ToServer.Count == 2), 2320, 2680);
    }

    [Theory]
    [InlineData(0.0, 0)]
    [InlineData(1.0, 1000)]
    public void A_probability_of_0_never_applies_and_one_of_1_always_does(double probability, int affected) =>
        Assert.Equal(
            affected,
            Enumerable.Range(0, 1000).Count(connection => Draw([Late with { Probability = probability }], connection).ToClient.Count > 0));

    [Fact]
    public void The_earliest_reset_counts_with_the_side_that_sees_it()
    {
        var toxics = Draw(
            [new ResetToxic(Passed.Seconds(9)), new ResetToxic(Passed.Seconds(3)) { Direction = Direction.ToClient },
                new ChurnToxic(Passed.Seconds(5))]);

        Assert.Equal((Passed.Seconds(3), Direction.ToClient), (toxics.ResetAt, toxics.SeesReset));
    }

    [Fact]
    public void A_share_of_connections_has_the_given_size_and_another_seed_chooses_others()
    {
        long[] connections = [.. Enumerable.Range(0, 1000)];

        var chosen = Draws.Share(connections, 0.25, seed: 1);

        Assert.Equal(250, chosen.Distinct().Count());
        Assert.Equal(chosen, Draws.Share(connections, 0.25, seed: 1));
        Assert.InRange(chosen.Intersect(Draws.Share(connections, 0.25, seed: 2)).Count(), 30, 95);
        Assert.Empty(Draws.Share(connections, 0, seed: 1));
        Assert.Equal(connections, Draws.Share(connections, 1, seed: 1).Order());
    }

    [Fact]
    public void Every_profile_has_toxics_that_a_proxy_takes() => Assert.All(
        FaultProfiles.All.SelectMany(fault => NetworkToxics.From(fault.SetUp.Network)), toxic => Assert.Null(toxic.FindFault()));

    [Fact]
    public void Bytes_pass_as_they_come_if_no_condition_is_set() => Assert.Empty(NetworkToxics.From(NetworkConditions.Undisturbed));

    [Fact]
    public void Each_condition_is_a_toxic_of_its_own_in_the_order_in_which_bytes_meet_them()
    {
        var network = new NetworkConditions
        {
            SliceBytes = 10,
            BytesPerSecond = 1000,
            Latency = TimeSpan.FromMilliseconds(20),
            Jitter = TimeSpan.FromMilliseconds(5),
            LostShare = 0.05,
            ResentAfter = TimeSpan.FromMilliseconds(200),
            StallEvery = TimeSpan.FromSeconds(2),
            StallFor = TimeSpan.FromMilliseconds(100),
            ResetAfter = TimeSpan.FromSeconds(6),
            ResetJitter = TimeSpan.FromSeconds(1),
            ResetShare = 0.25,
            CutEvery = TimeSpan.FromSeconds(3),
        };

        Assert.Equal(
            [
                new SlicerToxic(10), new BandwidthToxic(1000),
                new LatencyToxic(TimeSpan.FromMilliseconds(20), TimeSpan.FromMilliseconds(5)),
                new LossToxic(0.05, TimeSpan.FromMilliseconds(200)),
                new StallToxic(TimeSpan.FromSeconds(2), TimeSpan.FromMilliseconds(100)),
                new ResetToxic(TimeSpan.FromSeconds(6), TimeSpan.FromSeconds(1)) { Probability = 0.25 },
                new ChurnToxic(TimeSpan.FromSeconds(3)),
            ],
            NetworkToxics.From(network));
    }

    [Fact]
    public void A_latency_may_have_a_deviation() => Assert.Equal(
        [new LatencyToxic(TimeSpan.FromMilliseconds(20)) { Deviation = TimeSpan.FromMilliseconds(30) }],
        NetworkToxics.From(new NetworkConditions
        {
            Latency = TimeSpan.FromMilliseconds(20),
            LatencyDeviation = TimeSpan.FromMilliseconds(30),
        }));

    private static ConnectionToxics Draw(IReadOnlyList<Toxic> toxics, long connection = 0) =>
        ConnectionToxics.Draw(new ToxicSet(toxics, Seed: 5), connection, default, atOpening: true);
}
