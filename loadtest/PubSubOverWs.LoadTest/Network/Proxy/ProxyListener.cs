using System.Net;
using System.Net.Sockets;

namespace PubSubOverWs.LoadTest.Network.Proxy;

/// <summary>
/// A port of 127.0.0.1, of the system's choosing, that is open or closed, and always the same one. While closed, a client that
/// connects is refused by the system, and so are connections that wait to be accepted.
/// </summary>
public sealed class ProxyListener : IDisposable
{
    /// <summary>
    /// Of each receive and send buffer in the system: without a fixed size they grow to megabytes and hide that one
    /// side is slow.
    /// </summary>
    public const int SystemBufferBytes = 64 * 1024;

    private static readonly TimeSpan BetweenTries = TimeSpan.FromMilliseconds(10);

    private readonly Action<Socket> _welcome;
    private readonly TimeProvider _time;

    // Bound and never listening: keeps the port for us while it is closed. Two sockets on one address is what only Linux allows.
    private readonly Socket? _keeper = OperatingSystem.IsLinux() ? Bound(new IPEndPoint(IPAddress.Loopback, 0)) : null;
    private volatile Socket? _listener;

    /// <param name="welcome">Gets each connection; it must return at once.</param>
    /// <param name="time">The clock.</param>
    public ProxyListener(Action<Socket> welcome, TimeProvider time)
    {
        (_welcome, _time) = (welcome, time);
        EndPoint = (IPEndPoint?)_keeper?.LocalEndPoint ?? new IPEndPoint(IPAddress.Loopback, 0);
        Open();
    }

    public IPEndPoint EndPoint { get; private set; }

    /// <summary>Completes when every listener that there was has ended; fails if taking connections did.</summary>
    public Task Served { get; private set; } = Task.CompletedTask;

    /// <summary>Nothing happens if it is open. Not from two threads at once, nor with <see cref="Close"/>.</summary>
    /// <exception cref="SocketException">Another process took the port meanwhile.</exception>
    public void Open()
    {
        if (_listener is not null)
            return;
        _listener = Bound(EndPoint);
        _listener.Listen();
        EndPoint = (IPEndPoint)_listener.LocalEndPoint!;
        Served = Task.WhenAll(Served, TakeAsync(_listener));
    }

    /// <summary>Connections that were taken stay. Nothing happens if it is closed.</summary>
    public void Close()
    {
        if (_listener is not { } listener)
            return;
        _listener = null;
        // A process that is being started has all our descriptors for a moment, and would keep it listening: this ends that for all.
        if (OperatingSystem.IsLinux())
            listener.Shutdown(SocketShutdown.Both);
        listener.Dispose();
    }

    public void Dispose()
    {
        Close();
        _keeper?.Dispose();
    }

    private static Socket Bound(IPEndPoint at)
    {
        // A connection that is taken has what its listener has.
        var socket = new Socket(at.AddressFamily, SocketType.Stream, ProtocolType.Tcp)
        {
            NoDelay = true,
            ReceiveBufferSize = SystemBufferBytes,
            SendBufferSize = SystemBufferBytes,
        };
        socket.Bind(at);
        return socket;
    }

    private async Task TakeAsync(Socket listener)
    {
        while (true)
        {
            try
            {
                _welcome(await listener.AcceptAsync());
            }
            catch (Exception error) when (error is ObjectDisposedException or SocketException && _listener != listener)
            {
                return;
            }
            catch (SocketException)
            {
                // The client has gone already, or no descriptor is free at the moment.
                await Task.Delay(BetweenTries, _time, CancellationToken.None);
            }
        }
    }
}
