using System.Net;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Limits;

public sealed class ConnectionCountsTests
{
    private static readonly IPAddress Here = IPAddress.Parse("192.0.2.1");
    private static readonly IPAddress There = IPAddress.Parse("192.0.2.2");

    [Fact]
    public void Each_address_may_have_a_limited_number_of_connections()
    {
        var counts = new ConnectionCounts(new RelayOptions { MaxConnectionsPerAddress = 2 });
        Assert.Null(counts.TryEnter(Here));
        Assert.Null(counts.TryEnter(Here));
        Assert.Equal(
            (429, "Your address has 2 connections, the maximum (Relay:MaxConnectionsPerAddress): close one first."),
            counts.TryEnter(Here));
        Assert.Null(counts.TryEnter(There));

        counts.Leave(Here);
        Assert.Null(counts.TryEnter(Here));
    }

    [Fact]
    public void All_addresses_together_may_have_a_limited_number_of_connections()
    {
        var counts = new ConnectionCounts(new RelayOptions { MaxConnections = 2, MaxConnectionsPerAddress = 2 });
        Assert.Null(counts.TryEnter(Here));
        Assert.Null(counts.TryEnter(There));
        Assert.Equal(
            (503, "This server has 2 connections, the maximum (Relay:MaxConnections): try again later, or another server."),
            counts.TryEnter(There));

        counts.Leave(Here);
        Assert.Null(counts.TryEnter(There));
    }

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
