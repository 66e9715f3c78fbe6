using System.Net;
using System.Net.Sockets;

namespace PubSubOverWs.LoadTest.Harness.Processes;

/// <summary>A port of 127.0.0.1 on which nothing listens. Another process may take it before the caller does.</summary>
internal static class FreePort
{
    public static int Find()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }
}
