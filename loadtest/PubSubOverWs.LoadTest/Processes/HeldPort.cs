using System.Net;
using System.Net.Sockets;
using static System.FormattableString;

namespace PubSubOverWs.LoadTest.Processes;

/// <summary>
/// A port of 127.0.0.1 that stays a server's while it is down. Bound and not listening, it lets the server listen there, and the system
/// gives it to nobody who asks for any port, as every client and every other server does.
/// </summary>
internal sealed class HeldPort : IDisposable
{
    private static readonly Uri AnyPort = new("http://127.0.0.1:0");

    // Other systems let nobody listen where another socket is bound.
    private readonly Socket? _socket =
        OperatingSystem.IsLinux() ? new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) : null;

    public HeldPort() => _socket?.Bind(new IPEndPoint(IPAddress.Loopback, 0));

    /// <summary>Where the server is to listen; not on Linux: on any port.</summary>
    public Uri Address => _socket is null ? AnyPort : new(Invariant($"http://127.0.0.1:{((IPEndPoint)_socket.LocalEndPoint!).Port}"));

    public void Dispose() => _socket?.Dispose();
}
