using System.Net;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.Options;

namespace PubSubOverWs.Hosting;

/// <summary>
/// A port that clients connect to. It leaves the process some descriptors, because the runtime ends one that has none, and Kestrel's own
/// listener would try without a pause (docs/decisions/0210).
/// </summary>
/// <param name="closed">When the port is closed.</param>
/// <param name="descriptors">That this process may have; null: not known.</param>
internal sealed class PortListener(
    Socket socket, Func<Socket, ConnectionContext> open, Func<ValueTask> closed, TimeProvider time, ILogger log, int? descriptors)
    : IConnectionListener
{
    // From here on connections come one after the other: what the first of them need is loaded from files.
    private const int Few = 64;

    // Descriptors or memory are free again when others are closed.
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(100);

    private bool _isScarce;
    private bool _hasTold;

    public EndPoint EndPoint { get; } = socket.LocalEndPoint!;

    /// <returns>Null: it was unbound.</returns>
    public async ValueTask<ConnectionContext?> AcceptAsync(CancellationToken cancellationToken = default)
    {
        while (true)
        {
            try
            {
                if (_isScarce)
                    await RoomAsync(cancellationToken);
                var accepted = await socket.AcceptAsync(cancellationToken);
                // A new descriptor has the lowest number that is free.
                _isScarce = accepted.Handle >= descriptors - Few;
                _hasTold &= _isScarce;
                return Open(accepted);
            }
            catch (ObjectDisposedException)
            {
                return null;
            }
            catch (SocketException error) when (error.SocketErrorCode == SocketError.OperationAborted)
            {
                return null;
            }
            catch (SocketException error) when (IsShortage(error.SocketErrorCode))
            {
                _isScarce = true;
                Tell(error.Message);
            }
            catch (SocketException)
            {
                // The client was gone before it was accepted.
            }
        }
    }

    public ValueTask UnbindAsync(CancellationToken cancellationToken = default)
    {
        socket.Dispose();
        return ValueTask.CompletedTask;
    }

    public async ValueTask DisposeAsync()
    {
        await UnbindAsync();
        await closed();
    }

    private static bool IsShortage(SocketError error) => error is SocketError.TooManyOpenSockets or SocketError.NoBufferSpaceAvailable;

    private async Task RoomAsync(CancellationToken cancellationToken)
    {
        await Task.Delay(Pause, time, cancellationToken);
        while (Descriptors.Next is var next && next >= descriptors - Descriptors.Reserve)
        {
            ObjectDisposedException.ThrowIf(socket.SafeHandle.IsClosed, socket);
            Tell($"{next} of {descriptors} descriptors are in use");
            await Task.Delay(Pause, time, cancellationToken);
        }
    }

    // Once, until there is more than a little room.
    private void Tell(string reason)
    {
        if (!_hasTold)
            log.TakesNoConnection(EndPoint, reason);
        _hasTold = true;
    }

    private ConnectionContext Open(Socket accepted)
    {
        try
        {
            if (accepted.LocalEndPoint is IPEndPoint)
                accepted.NoDelay = true;
            return open(accepted);
        }
        catch (SocketException)
        {
            accepted.Dispose();
            throw;
        }
    }
}

/// <summary>Event 99 of each server.</summary>
internal static partial class PortLog
{
    [LoggerMessage(99, LogLevel.Error,
        "No connection can be taken at {EndPoint}, and none is until others are closed: {Reason}. Let this process have more files and "
        + "sockets open (ulimit -n).")]
    public static partial void TakesNoConnection(this ILogger log, EndPoint endPoint, string reason);
}

/// <summary>Gives Kestrel its connections: its own, from a <see cref="PortListener"/>.</summary>
internal class PortTransport(IOptions<SocketTransportOptions> options, TimeProvider time, ILoggerFactory logs)
    : IConnectionListenerFactory, IConnectionListenerFactorySelector
{
    /// <summary>Other end points are Kestrel's.</summary>
    public bool CanBind(EndPoint endpoint) => endpoint is IPEndPoint or UnixDomainSocketEndPoint;

    /// <exception cref="AddressInUseException">Another process listens there.</exception>
    public ValueTask<IConnectionListener> BindAsync(EndPoint endpoint, CancellationToken cancellationToken = default)
    {
        Socket? socket = null;
        try
        {
            socket = options.Value.CreateBoundListenSocket(endpoint);
            socket.Listen(options.Value.Backlog);
            var (open, closed) = OpenConnections(endpoint);
            return new(new PortListener(socket, open, closed, time, logs.CreateLogger<PortTransport>(), Descriptors.Limit));
        }
        catch (SocketException error)
        {
            socket?.Dispose();
            throw error.SocketErrorCode == SocketError.AddressAlreadyInUse ? new AddressInUseException(error.Message, error) : error;
        }
    }

    /// <summary>How a socket that was accepted there becomes a connection, and what is done when the port is closed.</summary>
    protected virtual (Func<Socket, ConnectionContext> Open, Func<ValueTask> Closed) OpenConnections(EndPoint endpoint)
    {
        var connections = new SocketConnectionContextFactory(
            Like(options.Value), logs.CreateLogger(typeof(SocketTransportOptions).Namespace!));
        return (connections.Create, EndAsync);

        ValueTask EndAsync()
        {
            connections.Dispose();
            return ValueTask.CompletedTask;
        }
    }

    // As Kestrel's SocketConnectionListener does. Options of the public constructor have no part in the server's pool of memory.
    [UnsafeAccessor(UnsafeAccessorKind.Constructor)]
    private static extern SocketConnectionFactoryOptions Like(SocketTransportOptions transport);
}
