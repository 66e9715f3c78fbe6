using PubSubOverWs.LoadTest.Experiments.Peers;
using PubSubOverWs.LoadTest.Experiments.Peers.Load.Servers;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Peers.Load.Servers;

public sealed class PeerTests
{
    [Theory]
    [InlineData("nats-server: v2.9.10\n", "2.9.10")]
    [InlineData("mosquitto version 2.0.11\n\nmosquitto is an MQTT v5.0/v3.1.1/v3.1 broker.\n", "2.0.11")]
    [InlineData("nginx version: nginx/1.22.1\n", "1.22.1")]
    [InlineData("8.23.0\n", "8.23.0")]
    [InlineData("Error: Cannot find module 'ws/package.json'\n", null)]
    public void A_version_is_read_from_what_a_program_says(string said, string? version) => Assert.Equal(version, Peer.ReadVersion(said));

    [Fact]
    public async Task A_program_that_is_not_there_has_no_version()
    {
        var peer = PeerList.Nats with { Module = "/no/such/module" };

        Assert.Null(await peer.FindVersionAsync(new FakeTime(), CancellationToken.None));
        Assert.Null(peer.Version);
    }

    [Fact]
    public void Every_peer_is_an_arm_and_says_how_to_get_it() => Assert.All(PeerList.All, peer =>
    {
        Assert.Same(peer, Peer.Find(PeersArms.All.Single(arm => arm.Name == peer.Name)));
        Assert.Matches("^(apt-get|npm) install ", peer.Install);
    });

    [Fact]
    public void A_configuration_listens_on_loopback_alone_and_writes_into_its_own_folder() => Assert.All(PeerList.All, peer =>
    {
        var setUp = peer.SetUp(new PeerPlace(4711, "/folder"));
        var all = string.Join('\n', setUp.Arguments) + setUp.Configuration;

        Assert.Contains("4711", all, StringComparison.Ordinal);
        Assert.Contains("127.0.0.1", all, StringComparison.Ordinal);
        Assert.DoesNotContain("/var/", all, StringComparison.Ordinal);
        Assert.Equal(setUp.Configuration is not null, setUp.Arguments.Contains($"/folder/{PeerSetUp.File}"));
    });
}
