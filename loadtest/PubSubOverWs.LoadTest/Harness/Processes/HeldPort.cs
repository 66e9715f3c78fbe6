using System.Net;
using System.Net.Sockets;

namespace PubSubOverWs.LoadTest.Harness.Processes;

/// <summary>
/// Reserves a port of 127.0.0.1 for a server while it is down. Bound and not listening: a server that sets SO_REUSEADDR, as .NET does on
/// Unix for every TCP socket that is bound, can listen there, and the system chooses the port for no other socket.
/// </summary>
internal sealed class HeldPort : IDisposable
{
    // Other systems let nobody listen where another socket is bound.
    private readonly Socket? _socket =
        OperatingSystem.IsLinux() ? new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) : null;

    public HeldPort()
    {
        _socket?.Bind(EndPoint);
        EndPoint = (IPEndPoint?)_socket?.LocalEndPoint ?? EndPoint;
    }

    /// <summary>Where the server is to listen; not on Linux: on any port of 127.0.0.1.</summary>
    public IPEndPoint EndPoint { get; } = new(IPAddress.Loopback, 0);

    public void Dispose() => _socket?.Dispose();
}
