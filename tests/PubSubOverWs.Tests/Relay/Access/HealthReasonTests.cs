using System.Net;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Options;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Access;

/// <summary>Who is told why a server is not ready.</summary>
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
    public void Where_the_statistics_have_a_token_it_is_whoever_shows_it_and_this_machine_no_more_than_others(
        bool hasUsers, string? token, bool mayKnow)
    {
        var access = hasUsers ? _folder.Options : new AccessOptions();
        access.StatsTokenFile = _folder.Write("stats-token", StatsToken);

        Assert.Equal(mayKnow, new Gate(Options.Create(access), new FakeTime()).MayKnowWhy(Asks("127.0.0.1", token)));
    }

    [Fact]
    public void Where_there_are_users_and_no_such_token_it_is_nobody() =>
        Assert.False(new Gate(Options.Create(_folder.Options), new FakeTime()).MayKnowWhy(Asks("127.0.0.1", AccessFolder.Token)));

    [Theory]
    [InlineData("127.0.0.1:5000", true)]
    [InlineData("localhost", true)]
    [InlineData("rebound.example", false)]
    public void Where_there_are_neither_it_is_whoever_asks_this_machine_by_name(string host, bool mayKnow) =>
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
