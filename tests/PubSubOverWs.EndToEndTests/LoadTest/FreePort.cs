using System.Net;
using System.Net.Sockets;

namespace PubSubOverWs.EndToEndTests.LoadTest;

/// <summary>A port on which nothing listens.</summary>
public static class FreePort
{
    public static int Find()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }
}
