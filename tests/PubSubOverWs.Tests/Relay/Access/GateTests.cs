using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Options;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Access;

/// <summary>Where a server may listen, whose word on an address is believed, and who may know why it is not ready.</summary>
public sealed class GateTests : IDisposable
{
    private const string StatsToken = "sixteen-or-more-letters";

    private readonly AccessFolder _folder = new();

    public static TheoryData<EndPoint, bool> EndPoints => new()
    {
        { new IPEndPoint(IPAddress.Loopback, 8080), true },
        { new IPEndPoint(IPAddress.Parse("127.0.0.9"), 8080), true },
        { new IPEndPoint(IPAddress.IPv6Loopback, 8080), true },
        { new UnixDomainSocketEndPoint("relay.sock"), true },
        { new IPEndPoint(IPAddress.Any, 8080), false },
        { new IPEndPoint(IPAddress.IPv6Any, 8080), false },
        { new IPEndPoint(IPAddress.Parse("10.0.0.1"), 8080), false },
        { new DnsEndPoint("localhost", 8080), false },
    };

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData(true, null, false)]
    [InlineData(true, AccessFolder.Token, false)]
    [InlineData(true, StatsToken, true)]
    [InlineData(false, null, false)]
    [InlineData(false, StatsToken, true)]
    public void With_a_stats_token_its_holder_gets_the_reason_and_no_other_client_not_even_on_this_machine(
        bool hasUsers, string? token, bool mayKnow)
    {
        var access = hasUsers ? _folder.Options : new AccessOptions();
        access.StatsTokenFile = _folder.Write("stats-token", StatsToken);

        Assert.Equal(mayKnow, new Gate(Options.Create(access), new FakeTime()).MayKnowWhy(Asks("127.0.0.1", token)));
    }

    [Fact]
    public void With_users_and_no_stats_token_no_client_gets_the_reason() =>
        Assert.False(new Gate(Options.Create(_folder.Options), new FakeTime()).MayKnowWhy(Asks("127.0.0.1", AccessFolder.Token)));

    [Theory]
    [InlineData("127.0.0.1:5000", true)]
    [InlineData("localhost", true)]
    [InlineData("rebound.example", false)]
    public void Without_users_and_a_stats_token_a_client_that_asks_this_machine_by_name_gets_the_reason(string host, bool mayKnow) =>
        Assert.Equal(mayKnow, new Gate(Options.Create(new AccessOptions()), new FakeTime()).MayKnowWhy(Asks(host, token: null)));

    [Theory]
    [MemberData(nameof(EndPoints))]
    public void Without_users_only_addresses_of_this_machine_are_allowed_and_with_users_all_are(EndPoint endPoint, bool isAllowed)
    {
        using var folder = new AccessFolder();
        new Gate(Options.Create(folder.Options), new FakeTime()).CheckListen(endPoint);

        var open = new Gate(Options.Create(new AccessOptions()), new FakeTime());
        var refusal = Xunit.Record.Exception(() => open.CheckListen(endPoint)) as StartFailedException;

        Assert.Equal(isAllowed, refusal is null);
        Assert.Contains("Access:UsersFile", refusal?.Message ?? "Access:UsersFile", StringComparison.Ordinal);
    }

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

    private static HttpRequest Asks(string host, string? token)
    {
        var context = new DefaultHttpContext { Connection = { RemoteIpAddress = IPAddress.Loopback } };
        context.Request.Host = new HostString(host);
        if (token is not null)
            context.Request.Headers.Authorization = $"Bearer {token}";
        return context.Request;
    }

    private static string Refusal(string list, bool hasUsers) =>
        Assert.Throws<StartFailedException>(() => new TrustedProxies(list, hasUsers)).Message;
}
