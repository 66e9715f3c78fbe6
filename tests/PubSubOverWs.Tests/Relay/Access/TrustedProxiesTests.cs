using System.Net;
using Microsoft.AspNetCore.Http;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Access;

/// <summary>Whose word on a client's address is believed.</summary>
public sealed class TrustedProxiesTests
{
    [Theory]
    [InlineData("", "127.0.0.1", "192.0.2.1", "127.0.0.1")]
    [InlineData("127.0.0.1", "127.0.0.1", null, "127.0.0.1")]
    [InlineData("127.0.0.1", "127.0.0.1", "192.0.2.1", "192.0.2.1")]
    [InlineData("127.0.0.1", "::ffff:127.0.0.1", "192.0.2.1", "192.0.2.1")]
    [InlineData("127.0.0.1", "127.0.0.2", "192.0.2.1", "127.0.0.2")]
    [InlineData("127.0.0.1", "::1", "192.0.2.1", "::1")]
    [InlineData("127.0.0.1", "127.0.0.1", "203.0.113.9, 192.0.2.1", "192.0.2.1")]
    [InlineData("127.0.0.1, 10.0.0.0/8", "127.0.0.1", "203.0.113.9, 192.0.2.1, 10.1.2.3", "192.0.2.1")]
    [InlineData("127.0.0.1", "127.0.0.1", "203.0.113.9, 192.0.2.1, 10.1.2.3", "10.1.2.3")]
    [InlineData("10.0.0.0/8", "10.0.0.1", "10.0.0.2, 10.0.0.3", "10.0.0.2")]
    [InlineData("127.0.0.1", "127.0.0.1", "unknown", "127.0.0.1")]
    [InlineData("127.0.0.1", "127.0.0.1", "192.0.2.1:4711", "192.0.2.1")]
    [InlineData("127.0.0.1", "127.0.0.1", "[2001:db8::1]:4711", "2001:db8::1")]
    public async Task A_clients_address_is_the_last_one_that_does_not_belong_to_a_trusted_proxy(
        string list, string from, string? forwardedFor, string expected)
    {
        var context = new DefaultHttpContext { Connection = { RemoteIpAddress = IPAddress.Parse(from) } };
        context.Request.Headers["X-Forwarded-For"] = forwardedFor;
        IPAddress? seen = null;

        await new TrustedProxies(list, hasUsers: true).Before(next =>
        {
            seen = next.Connection.RemoteIpAddress;
            return Task.CompletedTask;
        })(context);

        Assert.Equal(IPAddress.Parse(expected), seen);
    }

    [Theory]
    [InlineData("localhost")]
    [InlineData("127.0.0.1,nginx")]
    [InlineData("10.0.0.0/33")]
    public void An_entry_that_is_neither_an_address_nor_a_network_is_refused_at_start(string list) =>
        Assert.StartsWith("Access:Proxies has '", Refusal(list, hasUsers: true), StringComparison.Ordinal);

    [Fact]
    public void A_server_without_users_stands_behind_no_proxy() =>
        Assert.Equal(
            "Access:Proxies names proxies, through which others than this machine get here, and this server has no users: "
            + "name a users file in Access:UsersFile.",
            Refusal("127.0.0.1", hasUsers: false));

    private static string Refusal(string list, bool hasUsers) =>
        Assert.Throws<StartFailedException>(() => new TrustedProxies(list, hasUsers)).Message;
}
