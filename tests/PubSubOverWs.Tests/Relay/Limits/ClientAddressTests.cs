using System.Net;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Limits;

public sealed class ClientAddressTests
{
    [Theory]
    [InlineData("192.0.2.7", "192.0.2.7")]
    [InlineData("::ffff:192.0.2.7", "192.0.2.7")]
    [InlineData("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::")]
    [InlineData("2001:db8:1:2:ffff::1", "2001:db8:1:2::")]
    [InlineData("fe80::1%3", "fe80::")]
    [InlineData("::1", "::1")]
    public void A_client_that_may_choose_among_addresses_counts_as_one(string address, string limited) =>
        Assert.Equal(IPAddress.Parse(limited), ClientAddress.From(IPAddress.Parse(address)));

    [Fact]
    public void Clients_without_a_known_address_share_one() => Assert.Equal(IPAddress.None, ClientAddress.From(null));
}
