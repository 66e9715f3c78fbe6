using System.Net;
using PubSubOverWs.LoadTest.Network.Proxy;

namespace PubSubOverWs.Tests.LoadTest.Network.Proxy;

public sealed class DoorwayTests
{
    [Fact]
    public void Only_this_machine_can_come_in()
    {
        using var doorway = new Doorway(connection => connection.Dispose(), TimeProvider.System);

        Assert.Equal(IPAddress.Loopback, doorway.EndPoint.Address);
        Assert.NotEqual(0, doorway.EndPoint.Port);
    }
}
