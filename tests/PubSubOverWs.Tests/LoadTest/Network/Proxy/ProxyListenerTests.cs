using System.Net;
using PubSubOverWs.LoadTest.Network.Proxy;

namespace PubSubOverWs.Tests.LoadTest.Network.Proxy;

public sealed class ProxyListenerTests
{
    [Fact]
    public void Only_this_machine_can_come_in()
    {
        using var listener = new ProxyListener(connection => connection.Dispose(), new FakeTime());

        Assert.Equal(IPAddress.Loopback, listener.EndPoint.Address);
        Assert.NotEqual(0, listener.EndPoint.Port);
    }
}
