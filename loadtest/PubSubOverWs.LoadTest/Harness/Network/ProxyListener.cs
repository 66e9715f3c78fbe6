using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.LoadTest.Harness.Network;

/// <summary>
/// A free port of 127.0.0.1 that can be closed and opened again. While it is closed, the system refuses clients that connect, and resets
/// connections that were not accepted yet.
/// </summary>
public sealed class ProxyListener : IDisposable
{
    /// <summary>
    /// Of receive and send buffers in the system, of which Linux takes twice as much: without a fixed size they grow to megabytes, and hide
    /// a slow side. What lies in them goes before everything that is sent later, as in the queue of a router.
    /// </summary>
    public const int SystemBufferBytes = 32 * 1024;

    private static readonly TimeSpan BetweenTries = TimeSpan.FromMilliseconds(10);

    private readonly Action<Socket> _welcome;
    private readonly TimeProvider _time;

    private readonly HeldPort _port = new();
    private volatile Socket? _listener;

    /// <param name="welcome">Called with each connection; must return at once.</param>
    public ProxyListener(Action<Socket> welcome, TimeProvider time)
    {
        _welcome = welcome;
        _time = time;
        EndPoint = _port.EndPoint;
        Open();
    }

    public IPEndPoint EndPoint { get; private set; }

    /// <summary>Completes when all listeners so far have ended; fails if accepting failed.</summary>
    public Task Served { get; private set; } = Task.CompletedTask;

    /// <summary>No effect if it is open. Not thread-safe, like <see cref="Close"/>.</summary>
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

    /// <summary>Accepted connections stay open. No effect if it is closed.</summary>
    public void Close()
    {
        if (_listener is not { } listener)
            return;
        _listener = null;
        // A process that is being started inherits all descriptors for a moment, and would keep the port listening without this.
        if (OperatingSystem.IsLinux())
            listener.Shutdown(SocketShutdown.Both);
        listener.Dispose();
    }

    public void Dispose()
    {
        Close();
        _port.Dispose();
    }

    private static Socket Bound(IPEndPoint at)
    {
        // Accepted sockets inherit these settings.
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
                // The client has left already, or no descriptor is free. No token: a listener that was disposed ends the next accept.
                await Task.Delay(BetweenTries, _time, CancellationToken.None);
            }
        }
    }
}
