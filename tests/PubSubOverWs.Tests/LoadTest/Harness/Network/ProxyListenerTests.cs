using System.Net;
using PubSubOverWs.LoadTest.Harness.Network;

namespace PubSubOverWs.Tests.LoadTest.Harness.Network;

public sealed class ProxyListenerTests
{
    [Fact]
    public void The_listener_accepts_connections_from_this_machine_only()
    {
        using var listener = new ProxyListener(connection => connection.Dispose(), new FakeTime());

        Assert.Equal(IPAddress.Loopback, listener.EndPoint.Address);
        Assert.NotEqual(0, listener.EndPoint.Port);
    }
}
