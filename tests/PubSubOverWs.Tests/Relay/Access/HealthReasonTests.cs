using System.Net;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Options;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Access;

/// <summary>Which clients get the reason why a server is not ready.</summary>
public sealed class HealthReasonTests : IDisposable
{
    private const string StatsToken = "sixteen-or-more-letters";

    private readonly AccessFolder _folder = new();

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

    public void Dispose() => _folder.Dispose();

    private static HttpRequest Asks(string host, string? token)
    {
        var context = new DefaultHttpContext { Connection = { RemoteIpAddress = IPAddress.Loopback } };
        context.Request.Host = new HostString(host);
        if (token is not null)
            context.Request.Headers.Authorization = $"Bearer {token}";
        return context.Request;
    }
}
