using System.Net;
using PubSubOverWs.LoadTest.Commands;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Network;
using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.Tests.LoadTest.Harness.Network;

public sealed class FaultProxyTests
{
    [Theory]
    [InlineData(1, 1)]
    [InlineData(4_500, 1)]
    [InlineData(4_501, 2)]
    [InlineData(20_000, 5)]
    public async Task There_are_enough_proxies_that_none_gets_more_connections_than_its_limit(int users, int proxies)
    {
        Assert.Equal(proxies, FaultProxyProcess.CountFor(users));

        var ways = await Task.WhenAll(Enumerable.Range(5001, proxies).Select(port =>
            ClientTarget.ResolveAsync(new Uri($"http://127.0.0.1:{port}"), CancellationToken.None)));
        using var group = new ServerGroup([new GroupMember("pubsub", ways[0], Stats: null, Process: null) { Subscribers = ways }]);
        var taken = Enumerable.Range(0, users).CountBy(user => group.SubscribingOf(user).EndPoint.Port).ToList();
        Assert.Equal(proxies, taken.Count);
        Assert.All(taken, proxy => Assert.InRange(proxy.Value, 1, FaultProxyProcess.MaxConnections));
    }

    [Fact]
    public void One_proxy_is_refused_more_connections_than_its_limit()
    {
        var parsed = FaultProxyCommand.Create([]).Parse(["--target", "http://127.0.0.1:1", "--connections", "4501"]);

        Assert.Equal("--connections '4501' is not a whole number from 1 to 4500.", Assert.Single(parsed.Errors).Message);
    }

    [Fact]
    public void The_listener_accepts_connections_from_this_machine_only()
    {
        using var listener = new ProxyListener(connection => connection.Dispose(), new FakeTime());

        Assert.Equal(IPAddress.Loopback, listener.EndPoint.Address);
        Assert.NotEqual(0, listener.EndPoint.Port);
    }

    [Theory]
    [InlineData(5, 0)]
    [InlineData(10, 0)]
    [InlineData(10.5, 0.5)]
    [InlineData(10.0102, 0.011)]
    public void A_timer_runs_whole_milliseconds_and_never_too_few(double at, double wait)
    {
        var time = new FakeTime();
        var clock = new ProxyClock(time);
        time.Advance(Passed.Seconds(10));

        Assert.Equal(Passed.Seconds(10), clock.Now);
        Assert.Equal(Passed.Seconds(wait), clock.Until(Passed.Seconds(at)));
    }
}
