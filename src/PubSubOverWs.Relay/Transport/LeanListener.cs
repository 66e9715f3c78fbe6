using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Connections;

namespace PubSubOverWs.Relay;

/// <summary>A port that clients connect to.</summary>
internal sealed class LeanListener(Socket socket) : IConnectionListener
{
    public EndPoint EndPoint { get; } = socket.LocalEndPoint!;

    /// <returns>Null: it was unbound.</returns>
    public async ValueTask<ConnectionContext?> AcceptAsync(CancellationToken cancellationToken = default)
    {
        while (true)
        {
            try
            {
                var accepted = await socket.AcceptAsync(cancellationToken);
                accepted.NoDelay = true;
                return new LeanConnection(accepted);
            }
            catch (ObjectDisposedException)
            {
                return null;
            }
            catch (SocketException error) when (error.SocketErrorCode == SocketError.OperationAborted)
            {
                return null;
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

    public ValueTask DisposeAsync()
    {
        socket.Dispose();
        return ValueTask.CompletedTask;
    }
}
