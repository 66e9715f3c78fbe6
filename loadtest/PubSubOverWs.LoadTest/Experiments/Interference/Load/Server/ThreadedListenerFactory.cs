using Microsoft.AspNetCore.Connections;

namespace PubSubOverWs.LoadTest.Experiments.Interference.Load.Server;

/// <summary>A loopback port whose connections have a thread each.</summary>
/// <param name="port">0: one that is free.</param>
public sealed class ThreadedEndPoint(int port) : IPEndPoint(IPAddress.Loopback, port);

/// <summary>Has the framework's server accept <see cref="ThreadedConnection"/>s at each <see cref="ThreadedEndPoint"/>.</summary>
public sealed class ThreadedListenerFactory : IConnectionListenerFactory, IConnectionListenerFactorySelector
{
    public bool CanBind(EndPoint endpoint) => endpoint is ThreadedEndPoint;

    public ValueTask<IConnectionListener> BindAsync(EndPoint endpoint, CancellationToken cancellationToken = default)
    {
        var socket = new Socket(endpoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            socket.Bind(endpoint);
            socket.Listen();
        }
        catch (SocketException error)
        {
            socket.Dispose();
            throw error.SocketErrorCode == SocketError.AddressAlreadyInUse ? new AddressInUseException(error.Message, error) : error;
        }
        return new(new Listener(socket));
    }

    private sealed class Listener(Socket socket) : IConnectionListener
    {
        public EndPoint EndPoint { get; } = new ThreadedEndPoint(((IPEndPoint)socket.LocalEndPoint!).Port);

        public async ValueTask<ConnectionContext?> AcceptAsync(CancellationToken cancellationToken = default)
        {
            while (true)
            {
                Socket? accepted = null;
                try
                {
                    accepted = await socket.AcceptAsync(cancellationToken);
                    accepted.NoDelay = true;
                    return ThreadedConnection.Start(accepted);
                }
                catch (Exception error) when (error is ObjectDisposedException
                    or SocketException { SocketErrorCode: SocketError.OperationAborted })
                {
                    return null; // Unbound.
                }
                catch (SocketException error) when (accepted is not null
                    || error.SocketErrorCode is SocketError.ConnectionReset or SocketError.ConnectionAborted)
                {
                    accepted?.Dispose(); // This client has gone already.
                }
            }
        }

        public ValueTask UnbindAsync(CancellationToken cancellationToken = default) => DisposeAsync();

        public ValueTask DisposeAsync()
        {
            socket.Dispose();
            return default;
        }
    }
}
