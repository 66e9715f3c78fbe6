using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Connections;

namespace PubSubOverWs.Relay;

/// <summary>A port that clients connect to.</summary>
/// <param name="socket">Listens.</param>
/// <param name="time">For pauses.</param>
/// <param name="log">Told when no connection can be taken.</param>
internal sealed class LeanListener(Socket socket, TimeProvider time, ILogger log) : IConnectionListener
{
    // Descriptors or memory are free again when others are closed.
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(100);

    private readonly TakenConnections _taken = new(time);
    private bool _hasTold;

    public EndPoint EndPoint { get; } = socket.LocalEndPoint!;

    /// <returns>Null: it was unbound.</returns>
    public async ValueTask<ConnectionContext?> AcceptAsync(CancellationToken cancellationToken = default)
    {
        while (true)
        {
            try
            {
                var connection = Open(await socket.AcceptAsync(cancellationToken));
                _hasTold = false;
                return connection;
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
                if (!_hasTold)
                    log.TakesNoConnection(EndPoint, error.Message);
                _hasTold = true;
                await Task.Delay(Pause, time, cancellationToken);
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
        await _taken.EndAsync();
    }

    private static bool IsShortage(SocketError error) => error is SocketError.TooManyOpenSockets or SocketError.NoBufferSpaceAvailable;

    private LeanConnection Open(Socket accepted)
    {
        try
        {
            accepted.NoDelay = true;
            return new LeanConnection(accepted, _taken);
        }
        catch (SocketException)
        {
            accepted.Dispose();
            throw;
        }
    }
}
