using PubSubOverWs.LoadTest.Experiments.Paper.Faults;
using PubSubOverWs.LoadTest.Harness.Network;
using PubSubOverWs.Record.Scenarios;

namespace PubSubOverWs.Tests.LoadTest.Harness.Network;

public sealed class NetworkToxicsTests
{
    [Fact]
    public void Every_profile_has_toxics_that_a_proxy_takes() => Assert.All(
        FaultProfiles.All.SelectMany(fault => NetworkToxics.Of(fault.SetUp.Network)), toxic => Assert.Null(toxic.FindFault()));

    [Fact]
    public void Bytes_pass_as_they_come_if_no_condition_is_set() => Assert.Empty(NetworkToxics.Of(NetworkConditions.Undisturbed));

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
            NetworkToxics.Of(network));
    }

    [Fact]
    public void A_latency_may_have_a_deviation() => Assert.Equal(
        [new LatencyToxic(TimeSpan.FromMilliseconds(20)) { Deviation = TimeSpan.FromMilliseconds(30) }],
        NetworkToxics.Of(new NetworkConditions
        {
            Latency = TimeSpan.FromMilliseconds(20),
            LatencyDeviation = TimeSpan.FromMilliseconds(30),
        }));
}
