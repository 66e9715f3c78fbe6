using PubSubOverWs.Experiment.Faults;
using PubSubOverWs.LoadTest.Faults;
using PubSubOverWs.LoadTest.Network.Toxics;

namespace PubSubOverWs.Tests.LoadTest.Faults;

public sealed class FaultToxicsTests
{
    [Fact]
    public void Every_profile_has_toxics_that_a_proxy_takes() =>
        Assert.All(FaultProfiles.All.SelectMany(FaultToxics.Of), toxic => Assert.Null(toxic.FindFault()));

    [Fact]
    public void Churn_cuts_subscribers_alone()
    {
        var churn = new ChurnFault { Every = TimeSpan.FromSeconds(3) };

        Assert.Equal([new ChurnToxic(TimeSpan.FromSeconds(3))], FaultToxics.Of(churn));
        Assert.Equal(1, FaultToxics.ConnectionsOfEachUser(churn));
    }

    [Fact]
    public void A_restart_is_met_by_all_clients_at_a_proxy_that_only_opens_and_closes()
    {
        var restart = new RestartFault(KillSignal.Kill);

        Assert.Empty(FaultToxics.Of(restart));
        Assert.Equal(2, FaultToxics.ConnectionsOfEachUser(restart));
    }

    [Fact]
    public void Only_faults_of_the_queue_have_a_proxy_before_it() =>
        Assert.Equal(
            ["queue-down", "queue-killed"], FaultProfiles.All.Where(FaultToxics.StandsBeforeQueue).Select(fault => fault.Profile));
}
