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
    [InlineData("127.0.0.1", null, true)]
    [InlineData("::1", null, true)]
    [InlineData("192.0.2.7", null, false)]
    [InlineData("192.0.2.7", AccessFolder.Token, false)]
    [InlineData("192.0.2.7", StatsToken, true)]
    public void Where_there_are_users_it_is_this_machine_and_who_may_read_the_statistics(string from, string? token, bool mayKnow)
    {
        var access = _folder.Options;
        access.StatsTokenFile = _folder.Write("stats-token", StatsToken);
        var gate = new Gate(Options.Create(access), new FakeTime());

        Assert.Equal(mayKnow, gate.MayKnowWhy(Asks(from, token)));
    }

    [Fact]
    public void Where_there_are_none_it_is_whoever_gets_here() =>
        Assert.True(new Gate(Options.Create(new AccessOptions()), new FakeTime()).MayKnowWhy(Asks("127.0.0.1", token: null)));

    public void Dispose() => _folder.Dispose();

    private static DefaultHttpContext Asks(string from, string? token)
    {
        var context = new DefaultHttpContext();
        context.Connection.RemoteIpAddress = IPAddress.Parse(from);
        if (token is not null)
            context.Request.Headers.Authorization = $"Bearer {token}";
        return context;
    }
}
